import { z } from 'zod'
import { request, badAnswer, connectionError, type Endpoint, HubBroken, unreachable } from './request.ts'

/** The hash of a file: SHA-256 of its bytes (large files), or git's SHA-1. */
export interface Digest {
  kind: 'sha256' | 'git-sha1'
  hex: string
}

export interface RepoFile {
  path: string
  bytes: number
  digest: Digest
}

export interface RepoInfo {
  /** Commit. */
  revision: string
  gated: boolean
  private: boolean
  license: string | null
  /** Number of weights; null if the hub does not report it. */
  parameters: number | null
}

/** The hash of a commit: SHA-1, or SHA-256. */
export const REVISION = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
const Info = z.object({
  sha: z.string().regex(REVISION),
  gated: z.union([z.boolean(), z.string()]).optional(),
  private: z.boolean().optional(),
  cardData: z.object({ license: z.unknown(), license_name: z.unknown() }).partial().nullish(),
  safetensors: z.object({ total: z.number() }).nullish().catch(null),
})
const Tree = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    size: z.number().int().nonnegative().optional(),
    oid: z.string().optional(),
    lfs: z.object({ oid: z.string(), size: z.number().int().nonnegative() }).nullish(),
  }),
)
const SHA256 = /^[0-9a-f]{64}$/
const SHA1 = /^[0-9a-f]{40}$/

const MAX_JSON = 16 << 20
/** Repositories of models that can be trained have fewer files. */
const MAX_FILES = 10_000

/** The id of a data set, which the hub's addresses begin with; a model's has no such part. */
export const dataSetId = (id: string): string => `datasets/${id}`
export const isDataSet = (id: string): boolean => id.split('/').length === 3
const apiPath = (id: string): string => (isDataSet(id) ? `/api/${id}` : `/api/models/${id}`)

/** The hub's information about a model or data set. Throws `model_not_on_hub`, `model_gated`, `hub_unreachable`, `hub_bad_answer`. */
export async function repoInfo(endpoint: Endpoint, id: string, ref: string, signal: AbortSignal): Promise<RepoInfo> {
  const { value } = await json(endpoint, `${apiPath(id)}/revision/${encodeURIComponent(ref)}`, { what: id, signal })
  const info = Info.safeParse(value)
  if (!info.success) throw badAnswer(`The hub's description of ${id} does not have the shape of the Hub's API.`, info.error)
  const { sha, gated = false, cardData, safetensors } = info.data
  const stated = cardData?.license // a data set may have several
  const name = stated === 'other' ? (cardData?.license_name ?? 'other') : Array.isArray(stated) ? stated.join(', ') : stated
  return {
    revision: sha,
    gated: gated !== false,
    private: info.data.private ?? false,
    license: typeof name === 'string' ? name : null,
    parameters: safetensors?.total ?? null,
  }
}

/** Every file of a commit, with size and hash. Throws the errors of `repoInfo`. */
export async function repoFiles(endpoint: Endpoint, id: string, revision: string, signal: AbortSignal): Promise<RepoFile[]> {
  const first = `${apiPath(id)}/tree/${revision}`
  const files: RepoFile[] = []
  for (let where: string | null = `${first}?recursive=true`; where !== null;) {
    const { value, next } = await json(endpoint, where, { what: `the files of ${id}`, signal })
    const tree = Tree.safeParse(value)
    if (!tree.success) throw badAnswer(`The hub's list of the files of ${id} does not have the shape of the Hub's API.`, tree.error)
    for (const { type, path, size, oid, lfs } of tree.data) {
      if (type !== 'file') continue
      if (lfs && SHA256.test(lfs.oid)) files.push({ path, bytes: lfs.size, digest: { kind: 'sha256', hex: lfs.oid } })
      else if (!lfs && size !== undefined && oid !== undefined && SHA1.test(oid))
        files.push({ path, bytes: size, digest: { kind: 'git-sha1', hex: oid } }) // prettier-ignore
      else throw badAnswer(`The hub reports no size or hash of ${path} in ${id}, so a download could not be checked.`)
    }
    if (files.length > MAX_FILES) throw badAnswer(`${id} has more than ${MAX_FILES} files.`)
    where = next === null ? null : pageOf(endpoint, next, first)
  }
  return files
}

/** A small text file of a commit. Throws the errors of `repoInfo`. */
export async function repoText(endpoint: Endpoint, id: string, revision: string, path: string, signal: AbortSignal): Promise<string> {
  return (await text(endpoint, fileAddress(id, revision, path), { what: `${path} of ${id}`, signal })).text
}

export const fileAddress = (id: string, revision: string, path: string): string =>
  `/${id}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`

interface RequestOptions {
  what: string
  signal: AbortSignal
}

async function json(endpoint: Endpoint, where: string, options: RequestOptions): Promise<{ value: unknown; next: string | null }> {
  const answer = await text(endpoint, where, options)
  try {
    return { value: JSON.parse(answer.text) as unknown, next: answer.next }
  } catch (error) {
    throw badAnswer(`The hub's answer about ${options.what} is not JSON.`, error)
  }
}

async function text(endpoint: Endpoint, where: string, options: RequestOptions): Promise<{ text: string; next: string | null }> {
  try {
    const { response, extend, close } = await request(endpoint, where, options)
    const chunks: Uint8Array[] = []
    let bytes = 0
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.byteLength
        if (bytes > MAX_JSON) throw badAnswer(`The hub's answer about ${options.what} is longer than ${MAX_JSON >> 20} MB.`)
        chunks.push(chunk)
        extend()
      }
    } catch (error) {
      options.signal.throwIfAborted()
      throw error instanceof TypeError || (error as Error).name === 'AbortError' ? connectionError(endpoint.address, error) : error
    } finally {
      close()
    }
    const next = /<([^<>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    return { text: Buffer.concat(chunks).toString('utf8'), next }
  } catch (error) {
    throw error instanceof HubBroken ? unreachable(error) : error
  }
}

/** The address of a list's next page, which must differ only in the query. */
function pageOf({ address }: Endpoint, next: string, first: string): string {
  const url = URL.parse(next, `${address}/`)
  if (!url || url.origin !== new URL(address).origin) throw badAnswer('The hub continues its list of files at another address.')
  return `${first}${url.search}`
}
