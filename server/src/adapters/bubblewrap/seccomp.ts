import { lookup } from '#contracts/lookup.ts'
import { ALLOWED_FAMILIES, DENIED, LAST_KNOWN_CALL, NEW_NAMESPACE, PAIR_FAMILIES, TERMINAL_REQUESTS } from '../sandbox/system-calls.ts'

interface Machine {
  audit: number
  column: 0 | 1
  clone: number
  clone3: number
  ioctl: number
  socket: number
  socketpair: number
}

const MACHINES: Partial<Record<string, Machine>> = lookup({
  x64: { audit: 0xc000_003e, column: 0, clone: 56, clone3: 435, ioctl: 16, socket: 41, socketpair: 53 },
  arm64: { audit: 0xc000_00b7, column: 1, clone: 220, clone3: 435, ioctl: 29, socket: 198, socketpair: 199 },
})

// classic BPF, see linux/filter.h and linux/seccomp.h
const LOAD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const JUMP_BITS = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const errno = (number: number) => 0x0005_0000 | number
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97

// offsets in struct seccomp_data; arguments have 64 bits, with the low half first on both architectures
const NUMBER = 0
const ARCHITECTURE = 4
const argument = (index: number) => 16 + 8 * index

/** A classic BPF program for `bwrap --seccomp`. Throws if there is none for the architecture: then no sandbox can start. */
export function seccompFilter(architecture: string = process.arch): Buffer {
  const machine = MACHINES[architecture]
  if (!machine) throw new Error(`There is no system-call filter for the architecture ${architecture}.`)
  const program: [code: number, ifTrue: number, ifFalse: number, value: number][] = []
  const load = (offset: number) => program.push([LOAD, 0, 0, offset])
  const returnValue = (value: number) => program.push([RETURN, 0, 0, value])
  /** Returns `value` if the loaded word passes the test against `word`: equal, at least, or has one of its bits. */
  const returnIf = (test: number, word: number, value: number) => {
    program.push([test, 0, 1, word])
    returnValue(value)
  }
  /** Applies `rules` to one call only; they must end with `returnValue`. */
  const onlyFor = (call: number, rules: () => void) => {
    const jump = program.push([JUMP_EQUAL, 0, 0, call]) - 1
    rules()
    program[jump]![2] = program.length - jump - 1
  }

  load(ARCHITECTURE)
  program.push([JUMP_EQUAL, 1, 0, machine.audit])
  returnValue(KILL)
  load(NUMBER)
  returnIf(JUMP_AT_LEAST, LAST_KNOWN_CALL + 1, errno(ENOSYS)) // also the x32 calls
  for (const numbers of Object.values(DENIED)) {
    const number = numbers[machine.column]
    if (number !== null) returnIf(JUMP_EQUAL, number, errno(EPERM))
  }
  returnIf(JUMP_EQUAL, machine.clone3, errno(ENOSYS)) // a filter cannot read its flags, which are behind a pointer; libraries fall back to clone
  onlyFor(machine.clone, () => {
    load(argument(0))
    returnIf(JUMP_BITS, NEW_NAMESPACE, errno(EPERM))
    returnValue(ALLOW)
  })
  onlyFor(machine.ioctl, () => {
    load(argument(1))
    for (const request of TERMINAL_REQUESTS) returnIf(JUMP_EQUAL, request, errno(EPERM))
    returnValue(ALLOW)
  })
  for (const [call, families] of [
    [machine.socket, ALLOWED_FAMILIES],
    [machine.socketpair, PAIR_FAMILIES],
  ] as const)
    onlyFor(call, () => {
      load(argument(0))
      for (const family of families) returnIf(JUMP_EQUAL, family, ALLOW)
      returnValue(errno(EAFNOSUPPORT))
    })
  returnValue(ALLOW)

  const bytes = Buffer.alloc(program.length * 8)
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8)
    bytes.writeUInt8(ifTrue, at * 8 + 2)
    bytes.writeUInt8(ifFalse, at * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4)
  }
  return bytes
}
