import { createHash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

/** A fault in the answer to one request for a file. */
export type Fault =
  /** Closes the connection after this many bytes of the answer. */
  | { cutAfter: number }
  /** Sends this many bytes, and the rest only after `go` is called. */
  | { holdAfter: number }
  | { status: number; headers?: Record<string, string> }
  /** Sends other bytes of the same length. */
  | 'other-bytes'
  | 'too-long'
  /** Sends the complete file although a part was requested. */
  | 'no-ranges'

export interface TestRepo {
  /** Folder with the files of `main`. */
  folder: string
  license?: string
  gated?: 'auto' | 'manual'
  /** Token that may download gated files and see private ones. */
  token?: string
  private?: boolean
}

export interface TestHub {
  url: string
  /** The other origin to which it redirects requests for large files, as the Hub does. */
  cdn: string
  requests: { path: string; headers: http.IncomingHttpHeaders; to: 'hub' | 'cdn' }[]
  /** Number of file bytes sent. */
  sent: () => number
  repos: Map<string, TestRepo>
  /** Faults for the next requests for a file, by its path; one per request. */
  faults: Map<string, Fault[]>
  /** Continues every paused answer. */
  go: () => void
  /** Resolves when an answer is paused. */
  holding: () => Promise<void>
  close(): Promise<void>
}

/** Files of at least this size are "large": identified by SHA-256, and sent by the other origin. */
const LARGE = 4096

export const commitOf = (id: string): string => createHash('sha1').update(id).digest('hex')

/** Serves a folder with the part of the Hub's API that downloads use, with the faults that a test sets. */
export async function startTestHub(): Promise<TestHub> {
  const repos = new Map<string, TestRepo>()
  const faults = new Map<string, Fault[]>()
  const requests: TestHub['requests'] = []
  let bytes = 0
  let paused: (() => void)[] = []
  let waiting: (() => void)[] = []

  const send = (request: http.IncomingMessage, response: http.ServerResponse, file: string, name: string) => {
    const fault = faults.get(name)?.shift()
    const content = fs.readFileSync(file)
    if (typeof fault === 'object' && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end()
      return
    }
    const range = fault === 'no-ranges' ? null : /^bytes=(\d+)-$/.exec(request.headers.range ?? '')
    const start = range ? Number(range[1]) : 0
    if (range && start >= content.length) {
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end()
      return
    }
    const rest = fault === 'other-bytes' ? Buffer.alloc(content.length - start, 7) : content.subarray(start)
    const body = fault === 'too-long' ? Buffer.concat([rest, Buffer.from('more')]) : rest
    response.writeHead(range ? 206 : 200, {
      'content-length': body.length,
      ...(range && { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }),
    })
    if (typeof fault === 'object') {
      const part = body.subarray(0, 'cutAfter' in fault ? fault.cutAfter : fault.holdAfter)
      bytes += part.length
      response.write(part, () => {
        if ('cutAfter' in fault) {
          response.destroy()
          return
        }
        const sendRest = () => {
          bytes += body.length - part.length
          response.end(body.subarray(part.length))
        }
        paused.push(sendRest)
        response.once('close', () => (paused = paused.filter((one) => one !== sendRest)))
        for (const resolve of waiting.splice(0)) resolve()
      })
      return
    }
    bytes += body.length
    response.end(body)
  }
  const listen = async (to: 'hub' | 'cdn', answer: (request: http.IncomingMessage, response: http.ServerResponse, url: URL) => unknown) => {
    const server = http.createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://hub')
      requests.push({ path: `${url.pathname}${url.search}`, headers: request.headers, to })
      answer(request, response, url)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }
  const cdn = await listen('cdn', (request, response, url) => {
    const [id, name] = [url.searchParams.get('repo') ?? '', url.searchParams.get('file') ?? '']
    const repo = repos.get(id)
    if (repo) send(request, response, path.join(repo.folder, name), name)
    else response.writeHead(404).end()
  })
  const hub = await listen('hub', (request, response, url) => {
    const json = (value: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const refuse = (status: number, code: string) => response.writeHead(status, { 'x-error-code': code }).end('{"error":"refused"}')
    const [, named, resolve] =
      /^(?:\/api\/(?:models\/)?((?:datasets\/)?[^/]+\/[^/]+)\/(?:revision|tree)\/|\/((?:datasets\/)?[^/]+\/[^/]+)\/resolve\/)/.exec(
        url.pathname,
      ) ?? []
    const id = named ?? resolve ?? ''
    const api = `/api/${id.startsWith('datasets/') ? '' : 'models/'}${id}`
    const repo = repos.get(id)
    const isKnown = repo?.token !== undefined && request.headers.authorization === `Bearer ${repo.token}`
    if (!repo || (repo.private && !isKnown)) return refuse(request.headers.authorization ? 404 : 401, 'RepoNotFound')
    if (url.pathname === `${api}/revision/main`)
      return json({
        id,
        sha: commitOf(id),
        private: repo.private ?? false,
        gated: repo.gated ?? false,
        cardData: repo.license === undefined ? null : { license: repo.license },
      })
    if (url.pathname.startsWith(`${api}/revision/`)) return refuse(404, 'RevisionNotFound')
    if (url.pathname === `${api}/tree/${commitOf(id)}`) return json(treeOf(repo.folder))
    const name = decodeURIComponent(url.pathname.slice(`/${id}/resolve/${commitOf(id)}/`.length))
    const file = path.join(repo.folder, name)
    if (!url.pathname.startsWith(`/${id}/resolve/${commitOf(id)}/`) || !fs.existsSync(file)) return refuse(404, 'EntryNotFound')
    if (repo.gated && !isKnown) return refuse(request.headers.authorization ? 403 : 401, 'GatedRepo')
    if (fs.statSync(file).size < LARGE) return send(request, response, file, name)
    return response.writeHead(302, { location: `${cdn.url}/?repo=${encodeURIComponent(id)}&file=${encodeURIComponent(name)}` }).end()
  })
  const closeServer = (server: http.Server) =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return {
    url: hub.url,
    cdn: cdn.url,
    requests,
    sent: () => bytes,
    repos,
    faults,
    go() {
      for (const sendRest of paused) sendRest()
      paused = []
    },
    holding: () => new Promise((resolve) => (paused.length > 0 ? resolve() : waiting.push(resolve))),
    close: async () => {
      waiting = []
      await closeServer(hub.server)
      await closeServer(cdn.server)
    },
  }
}

const treeOf = (folder: string) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      const content = fs.readFileSync(file)
      const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
      const large = { oid: createHash('sha256').update(content).digest('hex'), size: content.length, pointerSize: 134 }
      return { type: 'file', path: path.relative(folder, file), size: content.length, oid, ...(content.length >= LARGE && { lfs: large }) }
    })
