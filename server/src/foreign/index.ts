export { ForeignFileError, type ForeignRefusal } from './errors.ts'
export { extractInto } from './extract.ts'
export { ForeignFolder, inForeign, type ForeignEntry, type ForeignKind, type Found, type NewForeignFile } from './folder.ts'
export { ForeignTarError, tarEntries, type TarEntry, type TarLimits } from './tar.ts'
