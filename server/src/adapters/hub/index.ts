/** A server with the API of the Hugging Face Hub, and the cache that its libraries share. */
export { repoFolder } from './cache.ts'
export { discard, diskError, distinct, download, freeBytes, here } from './download.ts'
export { loginToken } from './login.ts'
export { repoFiles, repoInfo, repoText } from './repository.ts'
export { endpointOf } from './request.ts'
export type { DownloadProgress } from './download.ts'
export type { Digest, RepoFile, RepoInfo } from './repository.ts'
export type { Endpoint } from './request.ts'
