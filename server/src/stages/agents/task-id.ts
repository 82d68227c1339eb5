import { randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 26

/** A new id of a run: 26 characters of lower-case base32, 130 random bits. */
export const newTaskId = (): string => Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte & 31]).join('')
