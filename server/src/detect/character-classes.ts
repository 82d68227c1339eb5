/** Classes of the first 128 characters. */
export const OTHER = 0
export const LOWER = 1
export const UPPER = 2
export const DIGIT = 3
export const UNDERSCORE = 4
export const SIGNAL = 5
export const CLASS = new Uint8Array(128)
for (let code = 97; code <= 122; code += 1) CLASS[code] = LOWER
for (let code = 65; code <= 90; code += 1) CLASS[code] = UPPER
for (let code = 48; code <= 57; code += 1) CLASS[code] = DIGIT
CLASS[95] = UNDERSCORE
for (const char of '@:-+(<\\') CLASS[char.charCodeAt(0)] = SIGNAL
export const isWordCode = (code: number) => (code < 128 ? CLASS[code]! >= LOWER && CLASS[code]! <= UNDERSCORE : code >= 0xc0)
