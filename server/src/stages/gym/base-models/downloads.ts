import type { BaseModelDownload, DownloadedModel } from '#contracts/entities/base-model.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import { discard, diskError, distinct, download, type Endpoint, presentBytes, repoFiles, repoFolder } from '#server/adapters/hub/index.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { neededFiles } from './needed-files.ts'
import { listPending, type Pending, removePending, writePending } from './pending.ts'

export const DOWNLOAD_JOB = 'base-model-download'

export interface DownloadsDeps {
  jobs: Core['jobs']
  /** Throws `hub_not_set_up`. */
  endpoint: () => Endpoint
  /** Folder of new downloads. */
  folder: () => string
  /** All folders that may contain unfinished downloads, because `folder` can change. */
  folders: () => readonly string[]
}

/** Downloads of base models: one at a time, paused by cancelling the job, resumed by starting it again. */
export function createDownloads({ jobs, endpoint, folder, folders }: DownloadsDeps) {
  const lastJob = (id: string): Job | null => jobs.list({ kinds: [DOWNLOAD_JOB], subject: id, limit: 1 }).items[0] ?? null
  const isActive = (job: Job | null) => job?.state === 'running' || job?.state === 'queued'
  const refuseActive = (id: string) => {
    if (isActive(lastJob(id)))
      throw new AppError('job_running', { message: `${id} is being downloaded.`, hint: 'Pause the download first.' })
  }
  const findPending = (id: string) => folders().flatMap((cache) => listPending(cache).filter((one) => one.id === id).map((one) => ({ cache, ...one }))) // prettier-ignore

  const savePending = (cache: string, pending: Pending) => {
    try {
      writePending(cache, pending)
    } catch (error) {
      throw diskError(error, cache, pending.id)
    }
  }

  async function downloadModel(wanted: Omit<Pending, 'files'>, cache: string, { signal, progress }: JobContext): Promise<DownloadedModel> {
    const { id, ref, revision } = wanted
    const hub = endpoint()
    progress({ phase: contactWord(hub.address), done: 0, total: null, unit: 'files' })
    const files = neededFiles(await repoFiles(hub, id, revision, signal))
    savePending(cache, { id, ref, revision, files })
    const path = await download(
      { endpoint: hub, cache, id, ref, revision, files },
      {
        signal,
        progress: (state) =>
          progress({
            phase: 'downloading',
            done: state.files,
            total: state.ofFiles,
            unit: 'files',
            bytesDone: state.bytes,
            bytesTotal: state.ofBytes,
            before: state.initialBytes,
          }),
      },
    )
    removePending(cache, id)
    await discard(cache, id) // parts of another revision
    return { id, revision, path, files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) }
  }

  return {
    /** Throws `job_running`, `hub_not_set_up`, `path_refused`, `disk_full`. */
    start(wanted: Omit<Pending, 'files'>): Job {
      refuseActive(wanted.id)
      endpoint()
      // a download continues in the folder where it began
      const begun = findPending(wanted.id).find(({ revision }) => revision === wanted.revision)
      const cache = begun?.cache ?? folder()
      if (!begun) savePending(cache, { ...wanted, files: [] }) // the job fetches the list of files later
      return jobs.start(DOWNLOAD_JOB, (context) => downloadModel(wanted, cache, context), { atOnce: 1, subject: wanted.id })
    },
    async list(): Promise<BaseModelDownload[]> {
      const all = folders().flatMap((cache) => listPending(cache).map((pending) => ({ cache, ...pending })))
      return Promise.all(
        all.map(async ({ cache, id, ref, revision, files }) => {
          const job = lastJob(id)
          const wanted = distinct(files)
          const stopped = job?.state === 'failed' ? job.error : null
          return {
            id,
            ref,
            revision,
            folder: cache,
            bytes: wanted.reduce((sum, { bytes }) => sum + bytes, 0),
            bytesHere: await presentBytes(repoFolder(cache, id), wanted),
            state: job?.state === 'queued' ? 'waiting' : job?.state === 'running' ? 'downloading' : 'paused',
            jobId: job?.id ?? null,
            problem: stopped?.message ?? null,
            hint: stopped?.hint ?? null,
          }
        }),
      )
    },
    /** Throws `not_found`, `job_running`. */
    async discard(id: string): Promise<{ freedBytes: number }> {
      refuseActive(id)
      const found = findPending(id)
      if (found.length === 0) throw new AppError('not_found', { message: `No download of ${id} is paused.` })
      let freedBytes = 0
      for (const { cache } of found) {
        removePending(cache, id)
        freedBytes += await discard(cache, id)
      }
      return { freedBytes }
    },
  }
}
export type Downloads = ReturnType<typeof createDownloads>

/** "Contacting Hugging Face", or the host of another hub. */
function contactWord(address: string): string {
  const { host } = new URL(address)
  return `Contacting ${/(?:^|\.)huggingface\.co$/.test(host) ? 'Hugging Face' : host}`
}
