import type { Agent } from '#contracts/entities/common.ts'
import { type Cleared, openGate, type GateInput } from '#server/stages/privacy/index.ts'
import { type OwnPrice, priceOf } from '#server/prices/prices.ts'
import { readArchived } from '#server/stages/traces/index.ts'
import { AtifTrajectory } from './format.ts'
import { type EntryContent, trajectoryOf } from './trajectory.ts'

export interface AtifJobInput {
  archive: string
  agent: Agent
  traceId: string
  project: string | null
  prices: readonly OwnPrice[]
  gate: GateInput
}

const NOTES = 'Written by Bash Gym. Secrets and personal data were replaced as its privacy policy says.'

/** A session as the text of an ATIF document; null if it has no content. */
export default async function atif({ archive, agent, traceId, project, prices, gate: input }: AtifJobInput): Promise<string | null> {
  const session = await readArchived(archive, agent, traceId)
  const gate = openGate(input)
  const ids = session.entries.map(({ id }) => id)
  const content = {
    title: session.trace.title,
    cwd: session.trace.cwd,
    branch: session.trace.gitBranch,
    labels: session.entries.map(({ kind, label }) => (kind === 'notice' ? label : null)),
    descriptions: session.trace.subagents.map(({ description }) => description),
    contents: session.items.map((item): EntryContent => {
      if (item.kind !== 'step') return { text: item.text }
      const { input: stepInput, output, answered } = item.step
      return { input: objectOf(stepInput), output, hasOutput: answered }
    }),
  }
  const cleared: Cleared<typeof content> = gate.clear(content, {
    traceId,
    project,
    stepOf: ([list, index]) => (list === 'contents' && typeof index === 'number' ? (ids[index] ?? null) : null),
  })
  const trace = {
    ...session.trace,
    gitBranch: cleared.branch,
    subagents: session.trace.subagents.map((one, index) => ({ ...one, description: cleared.descriptions[index]! })),
  }
  const trajectory = trajectoryOf({
    session: {
      trace,
      entries: session.entries.map((row, index) => (row.kind === 'notice' ? { ...row, label: cleared.labels[index]! } : row)),
      responses: session.responses,
    },
    contents: cleared.contents,
    title: cleared.title,
    cwd: cleared.cwd,
    priceOf: (model) => priceOf(model, prices),
    notes: NOTES,
  })
  return trajectory && `${JSON.stringify(AtifTrajectory.parse(trajectory), null, 2)}\n`
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : { value } // by the checks
