export { ForeignFileError, type ForeignRefusal } from './errors.ts'
export { ForeignFolder, inForeign, type ForeignEntry, type ForeignKind, type Found, type NewForeignFile } from './folder.ts'
