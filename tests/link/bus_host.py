#!/usr/bin/env python3
"""A host for boards in bus mode that shares nothing with flagfall: written from DGT's page alone.

bus_host.py PORT PRESSES: finds the boards, reads their logs until each has so many presses and then
shows nothing new, and prints as JSON what each board said.
"""
import json
import os
import select
import sys
import termios
import time

CLOCK, BOARD, CHANGES, REPEAT, START, FROM_START, PING, IGNORE, VERSION = 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x8A, 0x8B
ANSWERS = {CLOCK: (0x84,), BOARD: (0x83,), CHANGES: (0x85, 0x8B), REPEAT: (0x85, 0x8B), START: (0x88,), FROM_START: (0x86,), PING: (0x87,), IGNORE: (0x87,), VERSION: (0x89,)}
PIECES = ".PRNBKQprnbkq"


class Port:
    def __init__(self, path):
        self.file = os.open(path, os.O_RDWR | os.O_NOCTTY)
        mode = termios.tcgetattr(self.file)
        mode[0] = mode[1] = mode[3] = 0
        mode[2] = termios.CS8 | termios.CREAD | termios.CLOCAL
        mode[4] = mode[5] = termios.B9600
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 0, 0
        termios.tcsetattr(self.file, termios.TCSAFLUSH, mode)
        self.damaged = 0

    def say(self, command, address):
        head = bytes([command, address >> 7, address & 0x7F])
        os.write(self.file, head + bytes([sum(head) & 0x7F]))

    def hear(self, seconds):
        """Bytes until nothing has come for so long."""
        heard = b""
        while select.select([self.file], [], [], seconds)[0]:
            more = os.read(self.file, 512)
            if not more:
                break
            heard += more
        return heard

    def frames(self, heard):
        """Whole answers with a right checksum, as (type, address, data)."""
        at, found = 0, []
        while at + 6 <= len(heard):
            length = heard[at + 1] << 7 | heard[at + 2]
            frame = heard[at:at + length]
            # The sum has seven bits: a byte that is none of a frame's says more.
            right = sum(frame[:-1]) & 0x7F == frame[-1] and max(frame[1:], default=0x80) < 0x80
            if heard[at] >= 0x80 and length >= 6 and len(frame) == length and right:
                found.append((frame[0], frame[3] << 7 | frame[4], frame[5:-1]))
                at += length
            else:
                self.damaged += 1
                at += 1
        return found

    def ask(self, command, address):
        """The data of the answer; a command that was not understood is said again."""
        for _ in range(20):
            self.say(command, address)
            for kind, who, data in self.frames(self.hear(0.15)):
                if who == address and kind in ANSWERS[command]:
                    return data
            # The log is given once: what was damaged is asked for again.
            command = REPEAT if command == CHANGES else command
        raise SystemExit(f"board {address} does not answer {command:02X}")


def discover(port):
    boards = []
    while True:
        for board in boards:
            port.ask(IGNORE, board)
        port.say(PING, 0)
        until, heard = time.monotonic() + 1.6, b""
        while time.monotonic() < until:
            heard += port.hear(0.05)
        fresh = {who for kind, who, _ in port.frames(heard) if kind == 0x87} - set(boards)
        if not fresh:
            return sorted(boards)
        boards += fresh


def entries(data):
    at, found = 0, []
    while at < len(data):
        first = data[at]
        if 0x40 <= first <= 0x5F:
            found.append(("piece", PIECES[first & 0x0F], data[at + 1]))
            at += 2
        elif first & 0x6F in range(0x60, 0x6A):
            bcd = [(byte >> 4) * 10 + (byte & 0x0F) for byte in data[at + 1:at + 3]]
            found.append(("press", "left" if first & 0x10 else "right", (first & 0x0F) * 3600 + bcd[0] * 60 + bcd[1]))
            at += 3
        else:
            found.append(("mark", f"{first:02X}", 0))
            at += 1
    return found


def clock(data):
    side = lambda b: (b[0] & 0x0F) * 3600 + (b[1] >> 4) * 600 + (b[1] & 0x0F) * 60 + (b[2] >> 4) * 10 + (b[2] & 0x0F)
    return None if data[6] & 0x20 else {"right": side(data[0:3]), "left": side(data[3:6])}


def main():
    port, presses = Port(sys.argv[1]), int(sys.argv[2])
    boards = {}
    for address in discover(port):
        image = [PIECES[code] for code in port.ask(BOARD, address)]
        boards[address] = {"version": list(port.ask(VERSION, address)), "image": image, "presses": [], "pieces": 0}
    quiet = 0
    while quiet < 3:
        quiet += 1
        for address, board in boards.items():
            for kind, what, number in entries(port.ask(CHANGES, address)):
                if kind == "piece":
                    board["image"][number] = what
                    board["pieces"] += 1
                    quiet = 0
                elif kind == "press":
                    board["presses"].append([what, number])
                    quiet = 0
            if len(board["presses"]) < presses:
                quiet = 0
    for address, board in boards.items():
        board["dump"] = "".join(PIECES[code] for code in port.ask(BOARD, address))
        board["image"] = "".join(board["image"])
        board["clock"] = clock(port.ask(CLOCK, address))
        # A tag, and then all that stands there: the log begins anew.
        port.ask(START, address)
        since = entries(port.ask(FROM_START, address) + port.ask(CHANGES, address))
        tags = [at for at, (_, what, _) in enumerate(since) if what == "7B"]
        board["listed"] = sum(1 for kind, _, _ in since[tags[-1]:] if kind == "piece")
    print(json.dumps({"boards": boards, "damaged": port.damaged}))


main()
