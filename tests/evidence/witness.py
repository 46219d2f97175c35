"""A witness of transparency logs, written from c2sp.org/tlog-witness, tlog-cosignature, signed-note and RFC 8032 and 9162 alone, with nothing but Python's own
library.

witness.py FOLDER NAME [LOG_KEY…]   serves on a free port, prints its address and its verifier key, and keeps what it has seen of each log in FOLDER.
                                    Logs are given by their verifier keys. A file `hang` in FOLDER: it takes requests and answers none.
"""
import base64, hashlib, http.server, json, os, sys, threading, time

# Ed25519 (RFC 8032).
P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
def add(p, q):
    a, b, c, d = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0]), 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P
def times(n, p):
    q = (0, 1, 1, 0)
    while n:
        q, p, n = add(q, p) if n & 1 else q, add(p, p), n >> 1
    return q
def point(data):
    y, odd = int.from_bytes(data, "little") & 2**255 - 1, data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or y >= P:
        raise ValueError("this is no point of the curve")
    x = x if x & 1 == odd else P - x
    return x, y, 1, x * y % P
def packed(p):
    z = pow(p[2], -1, P)
    return (p[1] * z % P | (p[0] * z % P & 1) << 255).to_bytes(32, "little")
def number(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")
BASE = point(bytes([0x58] + [0x66] * 31))
def expanded(secret):
    digest = hashlib.sha512(secret).digest()
    return int.from_bytes(digest[:32], "little") & ~7 & (1 << 254) - 1 | 1 << 254, digest[32:]
def public(secret):
    return packed(times(expanded(secret)[0], BASE))
def sign(secret, text):
    s, prefix = expanded(secret)
    r = number(prefix, text) % Q
    start = packed(times(r, BASE))
    return start + ((r + number(start, public(secret), text) % Q * s) % Q).to_bytes(32, "little")
def stands(key, text, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    return len(signature) == 64 and s < Q and packed(times(s, BASE)) == packed(add(point(r), times(number(r, key, text) % Q, point(key))))

# Notes and trees.
def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()
def key_id(name, kind, key):
    return sha(name.encode(), b"\n", bytes([kind]), key)[:4]
def goes_on(size, root, new_size, new_root, way):
    """RFC 9162, 2.1.4.2."""
    if size == 0:
        return not way
    if size == new_size:
        return not way and root == new_root
    way = list(way) if size & size - 1 else [root, *way]
    if not way:
        return False
    at, last = size - 1, new_size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    fr = sr = way[0]
    for beside in way[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            fr, sr = sha(b"\1", beside, fr), sha(b"\1", beside, sr)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            sr = sha(b"\1", sr, beside)
        at, last = at >> 1, last >> 1
    return fr == root and sr == new_root and last == 0

class Witness:
    def __init__(self, folder, name, logs):
        self.folder, self.name, self.lock = folder, name, threading.Lock()
        self.secret = sha(b"for tests only ", name.encode())
        self.key = public(self.secret)
        self.logs = {}
        for log in logs:
            origin, _, key = log.split("+", 2)
            self.logs[origin] = base64.b64decode(key)[1:]
    def verifier_key(self):
        return f"{self.name}+{key_id(self.name, 4, self.key).hex()}+{base64.b64encode(bytes([4]) + self.key).decode()}"
    def add_checkpoint(self, body):  # status, text
        head, _, note = body.partition("\n\n")
        text, _, signatures = note.partition("\n\n")
        old, *way = head.split("\n")
        origin, size, root = (lines := text.split("\n"))[:3]
        if not old.startswith("old ") or str(int(old[4:])) != old[4:] or str(int(size)) != size or len(way) > 63 or "" in lines or not body.endswith("\n"):
            raise ValueError("this is no request")
        old, size, root, way = int(old[4:]), int(size), base64.b64decode(root, validate=True), [base64.b64decode(h, validate=True) for h in way]
        if origin not in self.logs:
            return 404, "this log is not known here\n"
        key, text = self.logs[origin], (text + "\n").encode()
        def by_log(line):
            name, signature = line.removeprefix("\u2014 ").rsplit(" ", 1)
            raw = base64.b64decode(signature, validate=True)
            return line.startswith("\u2014 ") and name == origin and raw[:4] == key_id(origin, 1, key) and stands(key, text, raw[4:])
        if not any(by_log(line) for line in signatures.splitlines()):
            return 403, "not signed with the log's key\n"
        if old > size or len(root) != 32 or any(len(h) != 32 for h in way) or old == 0 and way:
            return 400, "sizes or hashes do not fit\n"
        place = os.path.join(self.folder, sha(origin.encode()).hex())
        known = json.load(open(place)) if os.path.exists(place) else {"size": 0, "root": ""}
        if old != known["size"] or old == size and old and known["root"] != root.hex():
            return 409, f"{known['size']}\n"
        if not goes_on(old, bytes.fromhex(known["root"]), size, root, way):
            return 422, "the proof does not hold\n"
        with open(place + ".new", "w") as file:
            json.dump({"size": size, "root": root.hex()}, file)
        os.replace(place + ".new", place)
        now = int(time.time())
        signature = sign(self.secret, f"cosignature/v1\ntime {now}\n".encode() + text)
        raw = key_id(self.name, 4, self.key) + now.to_bytes(8, "big") + signature
        return 200, f"\u2014 {self.name} {base64.b64encode(raw).decode()}\n"

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body, witness = self.rfile.read(int(self.headers["Content-Length"])), self.server.witness
        while os.path.exists(os.path.join(witness.folder, "hang")):
            time.sleep(0.1)
        try:
            with witness.lock:
                status, text = witness.add_checkpoint(body.decode()) if self.path.endswith("/add-checkpoint") else (404, "nothing is here\n")
        except (ValueError, IndexError) as wrong:
            status, text = 400, f"{wrong}\n"
        with open(os.path.join(witness.folder, "answers"), "a") as file:
            file.write(f"{status}\n")
        self.send_response(status)
        self.send_header("Content-Type", "text/x.tlog.size" if status == 409 else "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        try:
            self.wfile.write(text.encode())
        except OSError:  # nobody waits for it any more
            self.close_connection = True
    def log_message(self, *_):
        pass

if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads, server.witness = True, Witness(sys.argv[1], sys.argv[2], sys.argv[3:])
    print(f"http://127.0.0.1:{server.server_port}", server.witness.verifier_key(), flush=True)
    server.serve_forever()
