import type { TrainingEnvironment } from '#contracts/entities/run.ts'
import type { Job } from '#contracts/entities/job.ts'
import { progressSentence } from '#renderer/app/words/jobs.ts'
import type { Tone } from '#renderer/ui/badge.tsx'

export const STATE: Record<TrainingEnvironment['state'], { word: string; tone: Tone; sentence: string }> = {
  ready: { word: 'ready', tone: 'ok', sentence: 'All packages work; models can be trained.' },
  missing: {
    word: 'not found',
    tone: 'neutral',
    sentence: 'No Python that can train was found. Everything except training works without one.',
  },
  incomplete: { word: 'incomplete', tone: 'warn', sentence: 'Something is missing, so training is not possible yet.' },
  broken: { word: 'does not work', tone: 'bad', sentence: 'Python was found, but it cannot train.' },
  installing: { word: 'installing', tone: 'accent', sentence: 'Installation in progress.' },
}

export const SOURCE: Record<NonNullable<TrainingEnvironment['source']>, string> = {
  variable: 'set by BASHGYM_PYTHON',
  setting: 'set below',
  own: 'installed by Bash Gym',
  path: 'found on PATH',
}

type Package = TrainingEnvironment['packages'][number]
/** A local build (`2.13.0+cpu`) counts as the wanted version. */
export const isTestedVersion = ({ version, wanted }: Package): boolean =>
  version !== null && (wanted === null || version.split('+')[0] === wanted)

/** By name, with packages that are missing or of another version first. */
export const untestedFirst = (packages: readonly Package[]): Package[] =>
  packages.toSorted((a, b) => Number(isTestedVersion(a)) - Number(isTestedVersion(b)) || a.name.localeCompare(b.name))

/** Why a text is not the path of a folder or file; null if it is. */
export const pathProblem = (text: string): string | null => (/^(\/|[A-Za-z]:\\)/.test(text.trim()) ? null : 'Enter an absolute path.')

/** "PyTorch · torch==2.13.0, 45 of 180 MB; 1 looked at, 45 MB fetched · 2 of 6 steps". */
export function installSentence(job: Job): string {
  const { progress } = job
  if (!progress?.message) return progressSentence(job)
  return `${progress.phase} · ${progress.message}`
}
