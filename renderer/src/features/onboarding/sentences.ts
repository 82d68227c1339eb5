import type { Scan } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import type { PrivacyStatus } from '#contracts/entities/privacy.ts'
import type { BaseModel } from '#contracts/entities/base-model.ts'
import type { ComputeDevice, TrainingEnvironment } from '#contracts/entities/run.ts'
import { agentWord } from '#renderer/app/words/agents.ts'
import { PRIVACY_CATEGORIES, piiWord } from '#renderer/app/words/privacy.ts'
import { formatBytes, formatCount, plural } from '#renderer/ui/format.ts'

/**
 * What the first step offers. `looking`: the scan has not finished; `none`: no history on this machine; `running`: an import is
 * running; `ready`: there is something to import; `kept`: everything is in the archive; `excluded`: every project is unticked.
 */
export type HistoryStep = 'looking' | 'none' | 'running' | 'ready' | 'kept' | 'excluded'

export function historyStep(scan: Scan | undefined, importJob: Job | null): HistoryStep {
  if (importJob) return 'running'
  if (!scan) return 'looking'
  if (scan.sessions === 0) return 'none'
  if (scan.notArchived > 0) return 'ready'
  return scan.excluded === scan.sessions ? 'excluded' : 'kept'
}

/** "312 sessions in 14 projects, 1.24 GB: 300 from Claude Code, 12 from Codex." */
export function foundSentence(scan: Scan): string {
  const byAgent = Map.groupBy(
    scan.places.filter(({ sessions }) => sessions > 0),
    ({ agent }) => agent,
  )
  const counts = [...byAgent].map(([agent, places]) => {
    const sessions = places.reduce((sum, place) => sum + place.sessions, 0)
    return byAgent.size === 1 ? `from ${agentWord(agent)}` : `${formatCount(sessions)} from ${agentWord(agent)}`
  })
  const found = `${plural(scan.sessions, 'session')} in ${plural(scan.projects, 'project')}, ${formatBytes(scan.bytes)}`
  return counts.length === 0 ? `${found}.` : `${found}${counts.length === 1 ? ', ' : ': '}${counts.join(', ')}.`
}

/** What the counts exclude; null if nothing. */
export function countSentence(scan: Scan): string | null {
  const parts = [
    scan.subagents === 1
      ? '1 sub-agent transcript belongs to its session and is not counted.'
      : scan.subagents > 1
        ? `${formatCount(scan.subagents)} sub-agent transcripts belong to their sessions and are not counted.`
        : null,
    scan.excluded > 0 ? `${plural(scan.excluded, 'session')} excluded.` : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(' ')
}

/** What the client's clean-up deletes next, or that nothing is in danger; null if no clean-up is known. */
export function riskSentence(scan: Scan): string | null {
  if (!scan.places.some(({ agent, sessions }) => agent === 'claude-code' && sessions > 0)) return null
  const days = plural(scan.cleanupPeriodDays, 'day')
  if (scan.atRisk > 0) {
    return `Claude Code deletes sessions after ${days}: ${plural(scan.atRisk, 'session')} would be lost within 7 days.`
  }
  if (scan.nextCleanup && scan.nextCleanup.sessions > 0) {
    return `Claude Code deletes sessions after ${days}. Its next clean-up deletes ${plural(scan.nextCleanup.sessions, 'session')}.`
  }
  return `Claude Code deletes sessions after ${days}. None is due within 7 days.`
}

const SECRETS = new Set<string>(PRIVACY_CATEGORIES.find(({ id }) => id === 'secrets')!.types.map(({ type }) => type))

export interface Secrets {
  /** Null if no session has been scanned. */
  sentence: string | null
  byType: { type: string; label: string; count: number }[]
}

/** Secrets that the scan of the archive found, by type. */
export function secretsOf(status: PrivacyStatus): Secrets {
  if (status.scanned === 0) return { sentence: null, byType: [] }
  const byType = Object.entries(status.valuesByType)
    .filter(([type, count]) => SECRETS.has(type) && count > 0)
    .map(([type, count]) => ({ type, label: piiWord(type), count }))
    .toSorted((a, b) => b.count - a.count)
  const total = byType.reduce((sum, { count }) => sum + count, 0)
  const places = Object.entries(status.byType).reduce((sum, [type, count]) => (SECRETS.has(type) ? sum + count : sum), 0)
  const all = status.scanned + status.outstanding
  const scanned = status.outstanding > 0 ? `${formatCount(status.scanned)} of ${plural(all, 'session')}` : plural(status.scanned, 'session')
  return {
    sentence: `${total === 0 ? 'No secrets found' : `${plural(total, 'secret')} found${places > total ? `, in ${plural(places, 'place')}` : ''}`} in ${scanned}${status.outstanding > 0 ? ' scanned so far' : ''}.`,
    byType,
  }
}

export interface MachineLine {
  name: string
  value: string
}

/** GPU, processor and memory. Unknown facts are "not measured". */
export function machineLines(devices: readonly ComputeDevice[] | undefined, memoryBytes: number | undefined): MachineLine[] {
  const gpus = devices?.filter(({ kind }) => kind === 'cuda')
  const cpu = devices?.find(({ kind }) => kind === 'cpu')
  const size = (bytes: number | null | undefined) => (bytes == null ? NOT_MEASURED : formatBytes(bytes))
  return [
    ...(gpus === undefined
      ? [{ name: 'GPU', value: NOT_MEASURED }]
      : gpus.length === 0
        ? [{ name: 'GPU', value: 'none found' }]
        : gpus.map(({ name, totalBytes, freeBytes }) => ({
            name: 'GPU',
            value: `${name}, memory ${size(totalBytes)}, free ${size(freeBytes)}`,
          }))),
    { name: 'Processor', value: cpu ? `${cpu.name}${cpu.cores === null ? '' : `, ${plural(cpu.cores, 'core')}`}` : NOT_MEASURED },
    { name: 'Memory', value: size(memoryBytes) },
  ]
}

const NOT_MEASURED = 'not measured'

/** Which base models on this machine can be trained here. */
export function trainableSentence(models: readonly BaseModel[] | undefined): string {
  if (models === undefined) return NOT_MEASURED
  const usable = models.filter(({ problem }) => problem === null)
  const fitting = usable.filter(({ fit }) => fit === 'yes' || fit === 'tight')
  if (models.length === 0) return 'not measured: no base model on this machine yet'
  if (fitting.length > 0) return fitting.map(({ name, fit }) => (fit === 'tight' ? `${name} (little memory to spare)` : name)).join(', ')
  if (usable.some(({ fit }) => fit === 'unknown')) return NOT_MEASURED
  return usable.length === 0
    ? `none of ${plural(models.length, 'base model')} on this machine can be trained`
    : `none of ${plural(usable.length, 'base model')} on this machine fits in memory`
}

export function pythonSentence(environment: TrainingEnvironment | undefined): string {
  if (environment === undefined) return NOT_MEASURED
  switch (environment.state) {
    case 'ready':
      return `ready${environment.version === null ? '' : `, Python ${environment.version}`}`
    case 'installing':
      return 'installing'
    case 'missing':
      return 'not installed'
    case 'incomplete':
      return 'some packages are missing'
    case 'broken':
      return 'does not start'
    default:
      throw new Error(`unknown state ${JSON.stringify(environment.state satisfies never)}`)
  }
}
