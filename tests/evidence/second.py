"""A second verifier of flagfall's journals, written from docs/journal.md alone, with nothing but Python's own library.

second.py [--key HEX] FILE...   says `CODE LINE FILE: WORDS` of each; LINE is the first bad one, or the last that is proved. It replays nothing.
"""
import base64, functools, hashlib, json, os, re, sys, struct, zlib

# BLAKE3, for the chain.
IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
MIX = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
def compress(cv, block, counter, length, flags):
    m, s = struct.unpack("<16I", block.ljust(64, b"\0")), [*cv, *IV[:4], counter & 0xFFFFFFFF, counter >> 32, length, flags]
    for _ in range(7):
        for i, (a, b, c, d) in enumerate(MIX):
            va, vb, vc, vd = s[a], s[b], s[c], s[d]
            for word, far, near in ((m[2 * i], 16, 12), (m[2 * i + 1], 8, 7)):
                va = va + vb + word & 0xFFFFFFFF
                vd = (vd ^ va) >> far | (vd ^ va) << 32 - far & 0xFFFFFFFF
                vc = vc + vd & 0xFFFFFFFF
                vb = (vb ^ vc) >> near | (vb ^ vc) << 32 - near & 0xFFFFFFFF
            s[a], s[b], s[c], s[d] = va, vb, vc, vd
        m = [m[i] for i in ORDER]
    return [x ^ y for x, y in zip(s[:8], s[8:])]
@functools.lru_cache(1 << 14)
def blake3(data):
    def subtree(first, count, root):
        if count > 1:
            left = 1 << (count - 1).bit_length() - 1
            both = struct.pack("<16I", *subtree(first, left, 0), *subtree(first + left, count - left, 0))
            return compress(IV, both, 0, 64, 4 | root)
        chunk, cv = data[1024 * first:1024 * first + 1024], IV
        for at in range(0, max(1, len(chunk)), 64):
            flags = (at == 0) | (2 | root if at + 64 >= len(chunk) else 0)
            cv = compress(cv, chunk[at:at + 64], first, len(chunk[at:at + 64]), flags)
        return cv
    return struct.pack("<8I", *subtree(0, max(1, -(-len(data) // 1024)), 8))
# Ed25519 (RFC 8032), for signatures.
P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
def add(p, q):
    a, b, c, d = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0]), 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P
def times(n, p, q=(0, 1, 1, 0)):
    while n:
        q, p, n = add(q, p) if n & 1 else q, add(p, p), n >> 1
    return q
def point(data):
    y, odd = int.from_bytes(data, "little") & 2**255 - 1, data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    need(x * x % P == square and y < P, "this is no point of the curve")
    x = x if x & 1 == odd else P - x
    return x, y, 1, x * y % P
@functools.lru_cache(1 << 14)
def signed(key, text, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    left, k = times(s, point(bytes([0x58] + [0x66] * 31))), int.from_bytes(hashlib.sha512(r + key + text).digest(), "little") % Q
    right = add(point(r), times(k, point(key)))
    strict = len(signature) == 64 and s < Q and all(times(8, point(p))[0] % P for p in (r, key))
    return strict and all((left[i] * right[2] - right[i] * left[2]) % P == 0 for i in (0, 1))
# A journal.
KEYS = set("open in out heard drop link entry verdict say event restart wall key checkpoint sign cut lost skip anew end".split())
LINE = re.compile(rb'(\{"n":(\d+),"t":(\d+),"(\w+)":(.*)),"h":"([0-9a-f]{16})","crc":"([0-9a-f]{8})"\}', re.DOTALL)
START = blake3(b"flagfall-journal 1")
def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()
def need(holds, words):
    if not holds:
        raise ValueError(words)
def decoded(text):
    return need(base64.b64encode(raw := base64.b64decode(text)).decode() == text, "base64 that nobody writes so") or raw
def accepted(text, number, chain):
    """The parts of a line that is the next one of this chain, and the chain after it."""
    need(text.endswith(b"\n") and len(text) <= 4 << 20, "the file ends in the middle of this line")
    need((m := LINE.fullmatch(text[:-1])) and zlib.crc32(text[:text.rindex(b',"crc":')]) == int(m[7], 16), "checksum or shape")
    need(int(m[2]) == number, "its number")
    chain = blake3(chain + m[1])
    need(chain[:8].hex() == m[6].decode(), "the chain")
    return m[4].decode(), json.loads(m[5]), chain
def follows(path, before):
    """The journal before this one, where it lies beside it, ends as this one says."""
    if not before or not os.path.isfile(beside := os.path.join(os.path.dirname(path), os.path.basename(before["file"]))):
        return
    lines = open(beside, "rb").readlines()
    chain = functools.reduce(lambda chain, line: accepted(line[1], line[0], chain)[2], enumerate(lines[:before["lines"]], 1), START)
    need(chain.hex() == before["chain"] and len(lines) >= before["lines"], "the journal before it is another one now")
    need(before.get("damaged") or len(lines) == before["lines"], "the journal before it has more lines now")
def log_of(head):
    plain = "".join(c if c.isalnum() or c in "-_ " or c == "." and i else "".join(f"%{b:02x}" for b in c.encode())
                    for i, c in enumerate(head["board"]))
    return f"flagfall-journal/{''.join('_' if c.isspace() else c for c in plain)}/{head['log']}"
def verify(path, given):  # code, line and words
    number, chain, halves, head, signer, proved, rest, lost, seq, holes = 0, START, [], {}, None, 0, 0, False, None, False
    try:
        for number, text in enumerate(open(path, "rb").readlines(), 1):
            before, (key, value, chain) = chain, accepted(text, number, chain)
            need(key in KEYS and (number == 1) == (key == "open"), "its key")
            rest, holes = rest + (key not in ("checkpoint", "sign")), holes or key == "lost"
            if key == "open":
                head, signer = value, value["key"]
                need(value["format"] in (1, 2), "its format")
            elif key == "event":
                need(seq is None or holes or value["seq"] == seq + 1, "the event's number")
                seq = value["seq"]
            elif key == "restart" and seq is not None:
                seq = max(seq, value["seq"])
            elif key == "key":
                need(signer in (value["lost"], value["public"]), "the key before it")
                statement = f"flagfall-key {value['lost']} {value['public']}".encode()
                try:
                    if value["lost"] == given and signed(bytes.fromhex(given), statement, bytes.fromhex(value["signature"])):
                        given = value["public"]
                except (ValueError, KeyError, TypeError, IndexError):
                    pass  # What cannot be a signature is none.
                signer, lost = value["public"], lost or value["lost"] == given
            elif key in ("checkpoint", "sign"):
                public = bytes.fromhex(signer)
                if key == "sign":
                    need((value["lines"], value["chain"]) == (number - 1, before.hex()), "it is not of the lines before it")
                    note, signature = f"flagfall-journal 1 {head['board']} {number - 1} {before.hex()}", bytes.fromhex(value["signature"])
                else:
                    root = functools.reduce(lambda right, left: sha(b"\1", left, right), [half for _, half in reversed(halves)])
                    need((value["size"], decoded(value["root"])) == (number - 1, root), "it is not of the lines before it")
                    notes, name = value.get("notes", []), f"flagfall/{sha(public)[:8].hex()}"
                    need(all(n and "\n" not in n and "\r" not in n for n in notes), "a note of two lines")
                    note = "".join(f"{n}\n" for n in [log_of(head), value["size"], value["root"], *notes])
                    named, signature = (raw := decoded(value["signature"]))[:4], raw[4:]
                    need(named == sha(name.encode(), b"\n\1", public)[:4], "it names another key")
                need(signed(public, note.encode(), signature), "its signature")
                proved, rest = number - 1 if signer == given else proved, 0
            level, half = 0, sha(b"\0", text[:-1])
            while halves and halves[-1][0] == level:
                level, half = level + 1, sha(b"\1", halves.pop()[1], half)
            halves.append((level, half))
        last, number = need(number, "an empty file") or number, 1
        follows(path, head.get("before"))
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as wrong:
        return 65, max(1, number), f"changed: {wrong}"
    if given and lost and proved:
        return 1, proved, "proved up to this line, where the key was lost"
    if not given or signer != given:
        return 2, proved, "whole, but no key was given or another one signed"
    return (1, proved, f"proved up to this line; {rest} lines are not signed") if rest else (0, last, "proved to the end")
if __name__ == "__main__":
    args = sys.argv[1:]
    given = args.pop(0) and args.pop(0).lower() if args[:1] == ["--key"] else None
    for path in args:
        print("{} {} {path}: {}".format(*verify(path, given), path=path))
