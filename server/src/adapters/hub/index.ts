/** Downloads from a server with the API of the Hugging Face Hub into the cache of its libraries. */
export { blobFile, fetchedRevision, repoFolder, snapshotFolder } from './cache.ts'
export { discard, diskError, distinct, download, freeBytes, presentBytes } from './download.ts'
export { loginToken } from './login.ts'
export { dataSetId, repoFiles, repoInfo, repoText } from './repository.ts'
export { endpointOf } from './request.ts'
export type { DownloadProgress } from './download.ts'
export type { Digest, RepoFile, RepoInfo } from './repository.ts'
export type { Endpoint } from './request.ts'
