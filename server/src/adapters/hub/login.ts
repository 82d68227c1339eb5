import fs from 'node:fs'

/** The token that `hf auth login` stored for the libraries; null if there is no usable one. */
export function loginToken(file: string): string | null {
  try {
    const token = fs.readFileSync(file, 'utf8').trim()
    return /^[\x21-\x7e]{8,500}$/.test(token) ? token : null
  } catch {
    return null
  }
}
