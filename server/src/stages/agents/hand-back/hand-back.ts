import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import type { Task } from '#contracts/entities/task.ts'
import { isoOf } from '#server/instant.ts'
import { plural } from '#contracts/plural.ts'
import type { handBackTask } from '#contracts/routes/tasks.ts'
import type { RepositoryState } from '#server/adapters/git/user-repository.ts'
import { requireSamePlace } from '#server/real-path.ts'
import { inJudged } from '#server/foreign/index.ts'
import { isWithin } from '#server/within.ts'
import type { TaskChange } from '../change.ts'
import { createCarry } from './carry.ts'
import type { HandBackDeps } from './deps.ts'
import { makeCommit, planIndex } from './commit.ts'
import { type Contents, createContents } from './contents.ts'
import { FOLDER, type Target } from './decide.ts'
import type { FileLines } from './diff/patch.ts'
import { createRecover } from './recover.ts'
import { invalid, refusal, refuse, requireEnded } from './refuse.ts'
import { inScratch } from './scratch.ts'
import { select, type Selection } from './select.ts'
import { settle } from './settle.ts'
import type { Write } from './tree/carry-out.ts'
import { lookAt, withoutRemoved } from './tree/found.ts'
import { endJournal, type HandBackFacts } from './tree/journal.ts'
import type { Wanted } from './tree/refusals.ts'
import { createTurns } from './turns.ts'
import { createUndo } from './undo.ts'

export type HandBackRequest = z.output<typeof handBackTask.body>

interface Place {
  root: string
  state: RepositoryState | null
}

/** Puts the change of a run into the user's repository, completely or not at all, and can undo that. */
export function createHandBack(deps: HandBackDeps) {
  const { changes, repositories, history, work, linesOf, taskOf, changeOf, recordHandBack, now } = deps
  const inTurn = createTurns()
  const moves = createCarry(deps)

  async function handBack(id: string, asked: HandBackRequest, signal: AbortSignal): Promise<Task> {
    requireEnded(taskOf(id))
    const change = changeOf(id)
    const directory = asked.directory ?? change.directory
    const root = await folderOf(directory)
    return inTurn(root, () =>
      inScratch(deps.scratch, async (scratch) => {
        const place = { root, state: await repositories.state(root) }
        if (directory !== change.directory && place.state === null)
          throw invalid(`${root} is not in a git repository.`, 'A folder other than that of the run must be in a repository.')
        const contents = createContents(changes, scratch, signal)
        const { targets, isWhole } = await selectTargets(change, asked.selection, contents, signal)
        const needed = targets.flatMap(({ start, end, from }) => [end, end && (from?.start ?? start)])
        await contents.load(change.gitDir, needed.flatMap((one) => (one && one.mode !== SUBMODULE ? [one.oid] : []))) // prettier-ignore
        const facts: HandBackFacts = { taskId: id, how: asked.how, at: isoOf(now()), detail: '', isWhole, ref: null, index: { before: [], after: [] }, undoes: null } // prettier-ignore
        const inputs = { change, asked, place, targets, contents, scratch, facts, title: taskOf(id).title }
        if (asked.how === 'apply') await apply(inputs, signal)
        else if (asked.how === 'commit') await commit(inputs, signal)
        else await branch(inputs, signal)
        return recordHandBack(id, history.last(id))
      }),
    )
  }

  interface Inputs {
    change: TaskChange
    asked: HandBackRequest
    place: Place
    targets: Target[]
    contents: Contents
    scratch: string
    facts: HandBackFacts
    title: string
  }

  async function apply(inputs: Inputs, signal: AbortSignal): Promise<void> {
    const { place, facts } = inputs
    const { wanted, conflicts } = await settleFolder(inputs, signal)
    refuse(conflicts)
    const detail = wanted.length === 0 ? `${place.root} already had all its files` : `${plural(wanted.length, 'file')} in ${place.root}`
    await carryOut(inputs, wanted, { ...facts, detail }, null, signal)
  }

  async function commit(inputs: Inputs, signal: AbortSignal): Promise<void> {
    const { place, targets, contents, scratch, facts } = inputs
    const { root, state } = withRepository(place)
    if (state.busy !== null)
      throw refusal(`Can't commit in ${root}: ${state.busy}.`, 'Finish that first, or hand the change back as a branch.')
    if (state.branch === null) throw refusal(`Can't commit in ${root}: no branch is checked out.`, 'Check one out, or hand the change back as a branch.') // prettier-ignore
    const parts = { changes, contents, scratch, repositories, signal }
    const committed = await makeCommit({ targets, root, state, base: state.head, message: messageOf(inputs) }, parts)
    const { wanted, conflicts } = await settleFolder(inputs, signal)
    if (committed.conflicts !== null) return refuse([...conflicts, ...committed.conflicts])
    const index = await planIndex(root, committed, parts)
    refuse([...conflicts, ...index.conflicts])
    const detail = `${plural(committed.files, 'file')} on ${shortName(state.branch)} of ${root}, as ${committed.commit.slice(0, 12)}`
    const ref = { name: state.branch, before: state.head, after: committed.commit }
    await carryOut(inputs, wanted, { ...facts, detail, ref, index: { before: index.before, after: index.after } }, state, signal)
  }

  async function branch(inputs: Inputs, signal: AbortSignal): Promise<void> {
    const { change, asked, place, targets, contents, scratch, facts } = inputs
    const { root, state } = withRepository(place)
    const name = asked.branch ?? `bashgym/${facts.taskId.slice(0, 8)}`
    const ref = await repositories.branchRef(name, signal)
    if (ref === null) throw invalid(`"${name}" can't be the name of a branch.`)
    if ((await repositories.ref(root, ref, signal)) !== null)
      throw refusal(`${root} already has a branch named ${name}.`, 'Choose another name.')
    if (change.head === null) throw invalid('The folder had no commit when the run started.', 'Apply the change instead.')
    if ((await repositories.ref(root, change.head, signal)) === null)
      throw invalid(`The commit ${change.head.slice(0, 12)}, which the run started from, is not in ${root}.`, 'Apply the change instead.')
    const parts = { changes, contents, scratch, repositories, signal }
    const committed = await makeCommit({ targets, root, state, base: change.head, message: messageOf(inputs) }, parts)
    if (committed.conflicts !== null) return refuse(committed.conflicts)
    const detail = `${plural(committed.files, 'file')} on the branch ${name} of ${root}, as ${committed.commit.slice(0, 12)}`
    await carryOut(inputs, [], { ...facts, detail, ref: { name: ref, before: null, after: committed.commit } }, state, signal)
  }

  /** Decides what to do with each file of the folder. */
  async function settleFolder({ place: { root }, targets, contents, scratch }: Inputs, signal: AbortSignal) {
    const paths = targets.map(({ path: file }) => file)
    const removed = new Set(targets.flatMap(({ path: file, end }) => (end === null ? [file] : [])))
    const found = new Map((await work.survey(root, paths, signal)).map((one, index) => [paths[index]!, withoutRemoved(one, removed)]))
    const load = async (file: string, oid: string) => (await contents.add(await readCurrent(root, file))) === oid
    const side = { foundAt: (file: string) => found.get(file)!, load, words: FOLDER, hasPlainLineEnds: false, followsRenames: false }
    return settle(targets, side, { changes, contents, scratch })
  }

  async function carryOut(
    { place: { root }, contents }: Pick<Inputs, 'place' | 'contents'>,
    wanted: readonly Wanted[],
    facts: HandBackFacts,
    state: RepositoryState | null,
    signal: AbortSignal,
  ): Promise<void> {
    const writes = wanted.map((one): Write => ({ ...one, ...(one.after ? contents.placeOf(one.after.oid) : NO_BYTES), mode: null }))
    const folder = history.next(facts.taskId)
    signal.throwIfAborted() // afterwards it is completed even if the caller disconnects
    await moves.carry({ root, folder, contents: contents.file, writes, folderModes: [], facts }, state)
    endJournal(folder, 'applied')
  }

  async function selectTargets(change: TaskChange, selection: Selection | undefined, contents: Contents, signal: AbortSignal) {
    const entries = await changes.entries(change, signal)
    const parts = new Set(selection?.filter(({ hunks }) => hunks !== undefined).map(({ path: file }) => file))
    const read = entries.filter(({ path: file, before }) => parts.has(file) && before !== null && before.mode !== SUBMODULE)
    await contents.load(change.gitDir, read.map(({ before }) => before!.oid)) // prettier-ignore
    const lines = parts.size === 0 ? new Map<string, FileLines>() : await linesOf(change, [...parts], signal)
    return select(entries, selection, lines, contents)
  }

  async function folderOf(directory: string | null): Promise<string> {
    if (directory === null)
      throw invalid('This run did not start from one of your folders.', 'Enter the folder of the repository that should get the change.')
    const root = path.resolve(directory)
    const stat = await fs.promises.stat(root).catch(() => null)
    if (!stat?.isDirectory()) throw invalid(`There is no folder ${directory}.`)
    requireSamePlace(root) // says it early; what follows opens it without following links
    if (isWithin(deps.dataDirectory, root) || isWithin(root, deps.dataDirectory)) throw invalid(`${directory} contains files of Bash Gym.`)
    return root
  }

  return { handBack, selectTargets, undo: createUndo(deps, moves, inTurn), recover: createRecover(deps, moves) }
}

const SUBMODULE = '160000'
const NO_BYTES = { at: 0, size: 0 }
const shortName = (ref: string): string => ref.replace('refs/heads/', '')

function withRepository({ root, state }: Place): { root: string; state: RepositoryState } {
  if (state === null) throw invalid(`${root} is not in a git repository.`, 'Apply the change instead.')
  return { root, state }
}

const messageOf = ({ asked, title }: { asked: HandBackRequest; title: string }): string => `${(asked.message ?? title).trim()}\n`

/** The bytes of a file or link now; empty if it is neither. */
async function readCurrent(root: string, file: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  await inJudged(root, (folder) => lookAt(folder, file, (piece) => pieces.push(Buffer.from(piece))))
  return Buffer.concat(pieces)
}

export type HandBack = ReturnType<typeof createHandBack>
