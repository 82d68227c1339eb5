// Checks the headers of a tar file before it is unpacked: the library holds extended headers in memory and trusts their lengths.
import fs from 'node:fs'

const BLOCK = 512
const [FILE, OLD_FILE, EXTENDED] = [0x30, 0x00, 0x78]
/** An extended header of ours has only a long name. */
const MAX_EXTENDED_BYTES = 8192

/** Returns why this is not a tar file that Bash Gym wrote, or null. Only regular files and their long names are accepted. */
export function faultOfTar(file: string): string | null {
  const handle = fs.openSync(file, 'r')
  try {
    const end = fs.fstatSync(handle).size
    const header = Buffer.alloc(BLOCK)
    for (let at = 0; at + BLOCK <= end;) {
      fs.readSync(handle, header, 0, BLOCK, at)
      if (header.every((byte) => byte === 0)) return null
      const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
      const type = header[156]
      const bytes = sizeIn(header)
      if (bytes === null) return `"${name}" has no valid length`
      if (type === EXTENDED) {
        const text = Buffer.alloc(Math.min(bytes, MAX_EXTENDED_BYTES + 1))
        fs.readSync(handle, text, 0, text.length, at + BLOCK)
        if (!isLongName(text)) return `the description of "${name}" has more than a name`
      } else if (type !== FILE && type !== OLD_FILE) return `it contains "${name}", which is not a regular file`
      at += BLOCK + Math.ceil(bytes / BLOCK) * BLOCK
      if (at > end) return 'it is incomplete'
    }
    return null
  } finally {
    fs.closeSync(handle)
  }
}

/** Octal digits, or a binary number of a large file. */
function sizeIn(header: Buffer): number | null {
  if (header[124] === 0x80) {
    const size = header.readBigUInt64BE(128)
    return header.subarray(125, 128).some((byte) => byte !== 0) || size > Number.MAX_SAFE_INTEGER ? null : Number(size)
  }
  const digits = /^ *([0-7]{1,11})[ \0]*$/.exec(header.toString('latin1', 124, 136))?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 8)
}

/** Only `LENGTH path=NAME`, with its true length. */
function isLongName(text: Buffer): boolean {
  const length = /^(\d{1,5}) path=[^\n]+\n$/.exec(text.toString('utf8'))?.[1]
  return length !== undefined && Number(length) === text.length && text.length <= MAX_EXTENDED_BYTES
}
