import fs from 'node:fs'
import path from 'node:path'
import { parquetWriteFile } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import type { ShellTask, ShellTaskImport, ShellTaskItem } from '#contracts/entities/shell-task.ts'
import { startTestHub } from '#server/adapters/hub/testing-hub.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { writeHarborTask } from '#server/adapters/harbor/write.ts'
import { useFolder } from '#server/testing/folders.ts'
import { runAgainst, useServer } from '#server/testing/use.ts'
import { setupCommandsOf } from './import/setup-commands.ts'
import { createNearIndex } from './near.ts'

const root = useFolder()
const SHIPPED = [
  { task_id: 'starter-1', task: 'Make an empty file /tmp/one.', setup_commands: [], success_condition: 'test -e /tmp/one', difficulty_level: 1, split: 'starter', reference_solution: 'touch /tmp/one' },
  { task_id: 'held-1', task: 'Count the lines of /data/names into /tmp/count.', setup_commands: ['mkdir /data'], success_condition: 'test -s /tmp/count', split: 'toy-heldout' },
] // prettier-ignore
const server = useServer(() => {
  const samplesDir = path.join(root, 'samples')
  fs.mkdirSync(path.join(samplesDir, 'shell-tasks'), { recursive: true })
  fs.writeFileSync(path.join(samplesDir, 'shell-tasks', 'starter.jsonl'), lines(SHIPPED))
  return { samplesDir }
})

const lines = (rows: readonly unknown[]): string => rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join('')
let files = 0
function fileOf(rows: readonly unknown[]): string {
  const file = path.join(root, `${(files += 1)}.jsonl`)
  fs.writeFileSync(file, lines(rows))
  return file
}
const cli = (...args: string[]) => runAgainst(server, ['shell-tasks', ...args])
const imported = async (rows: readonly unknown[], split: string, ...more: string[]): Promise<ShellTaskImport> =>
  JSON.parse((await cli('import', fileOf(rows), '--split', split, '--json', ...more)).out) as ShellTaskImport
const listed = async (...filter: string[]): Promise<ShellTaskItem[]> =>
  (JSON.parse((await cli('list', '--json', ...filter)).out) as { items: ShellTaskItem[] }).items
const get = async (id: string): Promise<ShellTask> => JSON.parse((await cli('show', id, '--json')).out) as ShellTask

describe('the starter set', () => {
  it('is stored automatically, and only once', async () => {
    expect((await listed('--split', 'starter')).map(({ id }) => id)).toEqual(['starter-1'])
    expect(await listed('--split', 'toy-heldout')).toMatchObject([{ isHeldOut: true, source: 'starter', validation: null }])
    expect((await server.client.listShellTasks({ query: {} })).total).toBe(2)
  })
})

describe('an import', () => {
  it('reads all accepted field names, and keeps unknown fields', async () => {
    const rows = [
      { id: 7, task: 'Say hello.', setup_commands: "mkdir /a; echo 'x;y' > /a/b && touch /c", success_check: 'true', difficulty_level: '2', trajectory: [1], source: 'older' },
      { task: 'No id here.', setup_commands: ['for i in 1 2; do touch $i; done'], check: 'false', difficulty: 3, reference_solution: null },
      { task_id: 'with space/slash', task: 'Another one altogether.', success_condition: 'test 1', setup_commands: '' },
    ] // prettier-ignore
    expect(await imported(rows, 'spellings')).toEqual({ imported: 3, duplicates: { exact: 0, near: 0 }, needsDocker: [], bad: [] })
    const items = await listed('--split', 'spellings')
    expect(items[0]).toMatchObject({
      id: '7',
      setup: ['mkdir /a', "echo 'x;y' > /a/b", 'touch /c'],
      check: 'true',
      difficulty: 2,
      extra: { trajectory: [1], source: 'older' },
    })
    expect(items[1]).toMatchObject({ id: expect.stringMatching(/^st-[0-9a-f]{24}$/) as string, difficulty: 3, referenceSolution: null })
    expect(items[2]).toMatchObject({ setup: [], extra: { task_id: 'with space/slash' } })
    expect(await imported(rows, 'spellings')).toMatchObject({ imported: 0, duplicates: { exact: 3 } })
    expect(await listed('--split', 'spellings')).toEqual(items)
  })

  it('names the rows whose set-up needs Docker', async () => {
    const setups = ['useradd -m ada', 'apt-get update && apt-get install -y jq', 'echo x | tee /usr/bin/x', 'cp /usr/bin/env /srv/e; ls /usr > /srv/l', 'echo a > /usr/a'] // prettier-ignore
    const rows = setups.map((setup, at) => ({ task: `${['Ada', 'Jq', 'Tee', 'Copies', 'Words'][at]} number ${at}`, setup: [setup], check: `test ${at}` })) // prettier-ignore
    expect((await imported(rows, 'system', '--keep-near')).needsDocker).toEqual([
      { line: 1, reason: 'The set-up changes users (useradd), which needs Docker.' },
      { line: 2, reason: 'The set-up installs packages (apt-get), which needs Docker.' },
      { line: 3, reason: 'The set-up writes to /usr/bin/x, which needs Docker.' },
      { line: 5, reason: 'The set-up writes to /usr/a, which needs Docker.' },
    ])
  })

  it('reports each bad line of 14,000 rows, and stores the others in batches', async () => {
    const rows = Array.from({ length: 14_000 }, (_, index): unknown => {
      if (index % 2000 === 10) return '{"task_id": "cut'
      if (index === 20) return { task_id: `row-${index}`, task: 'It has no check.' }
      if (index % 2000 === 20) return { task_id: `row-${index}`, task: 'It has a blank check.', check: '# to do\n ' }
      if (index % 2000 === 30) return { task_id: `row-${index}`, task: `Level ${index}`, check: 'true', difficulty_level: 9 }
      if (index % 2000 === 40) return { ...rowOf(39), task: `  ${rowOf(39).task.toUpperCase()} ` }
      return rowOf(index)
    })
    const stored: number[] = []
    const unfollow = server.app.core.events.subscribe(({ type, payload }) => {
      if (type === 'job:progress' && payload.progress.phase === 'storing') stored.push(payload.progress.done)
    })
    const result = await imported(rows, 'big')
    unfollow()
    expect(result).toMatchObject({ imported: 14_000 - 28, duplicates: { exact: 7, near: 0 } })
    expect(result.bad.slice(0, 3)).toEqual([
      { line: 11, reason: 'This line is not valid JSON.' },
      { line: 21, reason: 'success_condition is missing.' },
      { line: 31, reason: 'difficulty_level must be a whole number from 1 to 4.' },
    ])
    expect(result.bad).toContainEqual({ line: 2021, reason: 'check: has no command, so it would always pass.' })
    expect(result.bad).toHaveLength(21)
    expect(stored.length).toBeGreaterThan(1)
    const page = await server.client.listShellTasks({ query: { split: 'big', difficulty: '2', q: 'file-10', limit: 3 } })
    expect([page.items.length, page.total > 3, page.counts.split['big']]).toEqual([3, true, page.total])
    const next = await server.client.listShellTasks({ query: { split: 'big', difficulty: '2', q: 'file-10', limit: 3, cursor: page.nextCursor! } }) // prettier-ignore
    expect(next.items[0]!.id).not.toBe(page.items[2]!.id)
  }, 120_000)

  it('skips nearly identical tasks unless requested, but never mixes training and held-out tasks', async () => {
    const long = 'List every file below /srv/data that is larger than one megabyte and write the sorted list into the file'
    const near = [
      { id: 'n1', task: `${long} /tmp/list.`, check: 'true' },
      { id: 'n2', task: `${long} /tmp/other.`, check: 'true' },
    ]
    expect(await imported(near, 'near')).toMatchObject({ imported: 1, duplicates: { exact: 0, near: 1 } })
    expect(await imported(near.slice(1), 'near', '--keep-near')).toMatchObject({ imported: 1, duplicates: { exact: 0, near: 0 } })
    const nearTask = { id: 'h', task: `${long} /tmp/third.`, check: 'true' }
    expect(await imported([nearTask], 'mine', '--held-out', '--keep-near')).toMatchObject({ imported: 0, bad: [{ line: 1 }] })
    const heldOut = { id: 'h2', task: 'Count the lines of /data/names into /tmp/count', check: 'wc' }
    expect(await imported([heldOut], 'train')).toMatchObject({ imported: 0, duplicates: { near: 1 } })
    const kept = await imported([heldOut], 'train', '--keep-near')
    expect(kept.bad).toMatchObject([{ reason: expect.stringContaining('held-out task held-1') as string }])
  })

  it('gives a new id to another task with the same id, and refuses to make an existing split held out', async () => {
    const two = [
      { id: 'same', task: 'Print the name of the kernel.', check: 'true' },
      { id: 'same', task: 'Remove all empty folders below /var/x.', check: 'true' },
    ]
    expect(await imported(two, 'ids')).toMatchObject({ imported: 2 })
    const [first, second] = await listed('--split', 'ids')
    expect([first!.id, second!.id, second!.extra]).toEqual(['same', expect.stringMatching(/^same-\w+$/), { task_id: 'same' }])
    const refused = await cli('import', fileOf(two), '--split', 'ids', '--held-out')
    expect([refused.code, refused.note]).toEqual([1, expect.stringContaining('has 2 tasks that are not held out')])
    expect((await cli('import', fileOf(two), '--split', 'Not A Name')).code).not.toBe(0)
  })

  it('reads Harbor folders, and reports those that are not shell tasks', async () => {
    const folder = path.join(root, 'harbor')
    const source = { name: 'me/x', instruction: "Write it's done into /tmp/note.", image: 'debian:12', directory: null, metadata: { difficulty_level: 2 } } // prettier-ignore
    const harborTask = { ...source, setup: ['touch /a', 'seq 3 > /b'], check: `grep -q "it's" /tmp/note`, solution: 'echo "it\'s done" > /tmp/note' } // prettier-ignore
    fs.mkdirSync(folder)
    await writeHarborTask(path.join(folder, 'h-one'), harborTask)
    await writeHarborTask(path.join(folder, 'h-two'), { ...harborTask, directory: path.join(root, 'samples') })
    const { out } = await cli('import', folder, '--split', 'harbor', '--json')
    expect(JSON.parse(out)).toMatchObject({ imported: 1, bad: [{ line: 2, reason: expect.stringContaining('h-two: its image has a COPY step') as string }] }) // prettier-ignore
    const { setup, check, referenceSolution, difficulty } = await get('h-one')
    expect([setup.slice(1), check, referenceSolution, difficulty]).toEqual([harborTask.setup, harborTask.check, harborTask.solution, 2])
  })

  it('reads Parquet', async () => {
    const filename = path.join(root, 'tasks.parquet')
    parquetWriteFile({
      filename,
      columnData: [
        { name: 'task_id', data: ['p1'], type: 'STRING' },
        { name: 'task', data: ['Archive the folder /opt/logs as a tar file.'], type: 'STRING' },
        { name: 'success_condition', data: ['test -f /opt/logs.tar'], type: 'STRING' },
        { name: 'difficulty_level', data: [2n], type: 'INT64' },
      ],
    })
    await cli('import', filename, '--split', 'parquet')
    expect(await get('p1')).toMatchObject({ difficulty: 2, check: 'test -f /opt/logs.tar', setup: [] })
  })
})

describe('a data set on the hub', () => {
  it('is imported by its name: size and licence first, only the files of the split, and nothing twice', async () => {
    const hub = await startTestHub()
    const folder = path.join(root, 'hub-set')
    const write = (name: string, content: string) => {
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
      fs.writeFileSync(path.join(folder, name), content)
    }
    try {
      write('README.md', '# Tasks')
      write(
        'data/train-00000-of-00002.jsonl',
        lines([{ id: 'u1', task: 'Rename every log of /opt/app to old.', check: 'test -e /opt/app/old' }]),
      )
      write(
        'data/train-00001-of-00002.jsonl',
        lines([{ id: 'u2', task: 'Delete the socket below /run/db.', check: '! ls /run/db' }, { id: 'u3' }]),
      )
      write(
        'data/test-00000-of-00001.jsonl',
        lines([{ id: 'u4', task: 'Sort /etc/hosts in place by address.', check: 'sort -c /etc/hosts' }]),
      )
      hub.repos.set('datasets/acme/tasks', { folder, license: 'cc-by-4.0' })
      await server.client.patchSettings({ body: { training: { hub: { endpoint: hub.url, folder: path.join(root, 'hub-cache') } } } })

      const plan = await cli('import', 'acme/tasks', '--plan')
      expect([plan.code, plan.out]).toEqual([
        0,
        expect.stringMatching(/size +\d+ B in 2 files\n +licence +cc-by-4\.0\n +access +open\n +left out +data\/test-/),
      ])
      expect([hub.sent(), fs.existsSync(path.join(root, 'hub-cache'))]).toEqual([0, false])

      const { note, out } = await cli('import', 'acme/tasks', '--json')
      expect(note).toContain('licence   cc-by-4.0')
      expect(JSON.parse(out)).toMatchObject({
        imported: 2,
        bad: [{ line: 2, reason: 'data/train-00001-of-00002.jsonl: task is missing.' }],
      })
      const [sent, asked] = [hub.sent(), await listed('--split', 'train')]
      expect(asked.map(({ id }) => id)).toEqual(expect.arrayContaining(['u1', 'u2']))
      expect(JSON.parse((await cli('import', 'acme/tasks', '--json')).out)).toMatchObject({ imported: 0, duplicates: { exact: 2 } })
      expect(hub.sent()).toBe(sent)
      await cli('import', 'acme/tasks', '--split', 'test')
      expect(await listed('--split', 'test')).toMatchObject([{ id: 'u4', isHeldOut: true }])

      const unclear = await cli('import', 'acme/tasks', '--split', 'mine')
      expect([unclear.code, unclear.note]).toEqual([1, expect.stringContaining('Name the split after one of its parts: test, train.')])
      expect((await cli('import', 'acme/none')).note).toContain('has no datasets/acme/none')
    } finally {
      await hub.close()
    }
  })
})

describe('an export', () => {
  it('writes rows that can be imported again, Harbor folders, and rows for verifiers', async () => {
    const { out } = await cli('export', '--split', 'starter')
    const { split: _, ...row } = SHIPPED[0]!
    expect(JSON.parse(out)).toEqual(row)
    const file = path.join(root, 'tasks.tar')
    await cli('export', '--split', 'starter', '--format', 'harbor', '--output', file)
    const tar = fs.readFileSync(file, 'latin1')
    expect(tar).toContain('starter-1/tests/test.sh')
    expect(tar).toContain('starter-1/solution/solve.sh')
    const verifiers = await cli('export', '--split', 'starter', '--format', 'verifiers')
    expect(JSON.parse(verifiers.out)).toMatchObject({ question: row.task, info: { success_condition: row.success_condition } })
  })

  it('reports tasks whose set-up leaves a program running', async () => {
    await imported([{ id: 'serves', task: 'Stop the sleeping program.', setup_commands: ['sleep 100 &'], check: 'true' }], 'serving')
    const { code, note } = await cli('export', '--split', 'serving', '--format', 'harbor', '--output', path.join(root, 'no.tar'))
    expect([code, note]).toEqual([1, expect.stringContaining('serves leaves a program running')])
  })
})

describe('a task of the user', () => {
  const body = {
    task: 'Write the sum of the numbers in /srv/numbers into /tmp/total, and below it how many there are.',
    setup: ['seq 1 9 > /srv/numbers'],
    check: 'test "$(sed -n 1p /tmp/total)" = 45 && test "$(sed -n 2p /tmp/total)" = 9',
    difficulty: 2,
    referenceSolution: "awk '{ s += $1 } END { print s; print NR }' /srv/numbers > /tmp/total",
  }

  it('is created, changed and removed, and is refused if a held-out task is nearly the same', async () => {
    const { client } = server
    const publishedEvents = new Set<string>()
    const unsubscribe = server.app.core.events.subscribe(({ type }) => publishedEvents.add(type))
    const created = await client.createShellTask({ body })
    unsubscribe()
    expect([...publishedEvents, ...server.contractViolations]).toEqual(['shell-tasks:changed'])
    expect(created).toMatchObject({ ...body, split: 'own', source: 'own', validation: null })
    const changed = await client.changeShellTask({ params: { id: created.id }, body: { difficulty: 3, check: 'test -s /tmp/total' } })
    expect(changed).toMatchObject({ task: body.task, difficulty: 3, check: 'test -s /tmp/total' })
    expect(changed.contentHash).not.toBe(created.contentHash)
    const nearHeldOut = 'Count the lines of /data/names, into /tmp/count'
    await expect(client.createShellTask({ body: { ...body, task: nearHeldOut } })).rejects.toMatchObject({
      code: 'shell_task_near_held_out',
    })
    await expect(client.changeShellTask({ params: { id: created.id }, body: { task: nearHeldOut } })).rejects.toThrow(
      'held-out task held-1',
    )
    await client.removeShellTask({ params: { id: created.id } })
    await expect(client.getShellTask({ params: { id: created.id } })).rejects.toMatchObject({ code: 'shell_task_not_found' })
  })

  it.skipIf(findBubblewrap() === null)(
    'can be solved by hand in a sandbox, and validated',
    async () => {
      const { client } = server
      const { id } = await client.createShellTask({ body })
      const params = { id }
      const sandbox = await client.runShellTask({ params })
      const check = () => client.checkShellTask({ params, body: { sandboxId: sandbox.id } })
      expect(await check()).toMatchObject({ solved: false, exitCode: 1 })
      await client.execInSandbox({ params: { id: sandbox.id }, body: { command: 'printf "45\\n9\\n" > /tmp/total' } })
      expect(await check()).toMatchObject({ solved: true, exitCode: 0, timedOut: false })
      await expect(client.checkShellTask({ params: { id: 'starter-1' }, body: { sandboxId: sandbox.id } })).rejects.toThrow(
        'was not opened for',
      )
      await client.stopSandbox({ params: { id: sandbox.id }, body: { remove: true } })

      const validated = await cli('validate', id, '--json')
      const { validation } = JSON.parse(validated.out) as ShellTask
      expect([validated.code, validation?.status]).toEqual([0, 'valid'])
      expect(validation?.verdicts.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 6 }, () => 'pass'))
      expect(await listed('--status', 'valid')).toMatchObject([{ id, validation: { status: 'valid' } }])
      await client.changeShellTask({ params, body: { check: 'true' } })
      expect((await get(id)).validation).toBeNull()
      const invalid = await cli('validate', '--split', 'own', '--json')
      expect([invalid.code, JSON.parse(invalid.out)]).toEqual([1, { validated: 1, valid: 0, invalid: 1, unknown: 0, gone: 0 }])
      expect((await cli('export', '--split', 'own')).out.trim()).toBe('')
    },
    60_000,
  )
})

it('computes the rewards of a file as in the published table', async () => {
  const file = path.join(root, 'episodes.json')
  const episodes = [{ success: true, turns: 15, nonzero_exit_codes: 3 }, { success: false, turns: 30, nonzero_exit_codes: 30 }] // prettier-ignore
  fs.writeFileSync(file, JSON.stringify({ episodes, groups: [[1, 1, 0, 0], [0.5, 0.5]] })) // prettier-ignore
  const { out } = await cli('reward', file, '--json')
  const result = JSON.parse(out) as { episodes: { reward: number; length_factor: number }[]; groups: { zero_variance: boolean }[] }
  expect(result.episodes.map(({ reward }) => Number(reward.toFixed(6)))).toEqual([0.78, -0.4])
  expect(result.groups.map((one) => one.zero_variance)).toEqual([false, true])
})

it.each([
  ['mkdir a; touch b', ['mkdir a', 'touch b']],
  ['cd /x && echo "a && b;" | wc -l; ls || true', ['cd /x', 'echo "a && b;" | wc -l', 'ls || true']],
  ['mkdir a; for i in 1 2; do touch $i; done', ['mkdir a; for i in 1 2; do touch $i; done']],
  ['sleep 5 & touch a', ['sleep 5 & touch a']],
  ['cat <<X > a; ls\n1\nX', ['cat <<X > a; ls\n1\nX']],
  ['echo (; ls', ['echo (; ls']],
  ['  ', []],
])('splits only a plain list of commands: %j', (text, commands) => {
  expect(setupCommandsOf(text)).toEqual(commands)
})

it('finds the same similar pairs as a comparison of all with all', () => {
  const words = ['one', 'two', 'six', 'ten', 'red', 'sea']
  const texts = Array.from({ length: 300 }, (_, index) =>
    Array.from({ length: 12 }, (_word, at) => words[(at < 11 ? at + (index % 7) : index) % words.length]!).join(' '),
  )
  const index = createNearIndex(
    texts.map((task, at) => ({ id: String(at), task, isHeldOut: false })),
    ['of another file'],
  )
  const grams = (text: string) => {
    const all = text.split(' ')
    return new Set(all.slice(2).map((_, at) => all.slice(at, at + 3).join(' ')))
  }
  const jaccard = (a: Set<string>, b: Set<string>) => a.intersection(b).size / a.union(b).size
  for (const text of texts.slice(0, 60)) {
    const expected = texts.flatMap((other, at) => (jaccard(grams(text), grams(other)) >= 0.8 ? [String(at)] : []))
    expect(index.near(text).map(({ id }) => id).toSorted()).toEqual(expected.toSorted()) // prettier-ignore
  }
})

function rowOf(index: number) {
  const [verb, place] = [['Copy', 'Move', 'Find', 'Pack', 'Sort'][index % 5]!, ['/srv', '/opt', '/var', '/home'][index % 4]!]
  return {
    task_id: `row-${index}`,
    task: `${verb} file-${index} of ${place}/team-${index % 97} to ${place}/out-${index}.`,
    setup_commands: [`mkdir -p ${place}/team-${index % 97}`, `touch ${place}/team-${index % 97}/file-${index}`],
    success_condition: `test -e ${place}/out-${index}`,
    difficulty_level: String((index % 4) + 1),
  }
}
