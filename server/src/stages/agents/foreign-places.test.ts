import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Task, TaskRequest } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { overHttp } from '#server/cli/connect.ts'
import { inForeign } from '#server/foreign/index.ts'
import { useFolder } from '#server/testing/folders.ts'
import { refusalOf, useServer, useStub } from '#server/testing/use.ts'
import { endOf } from './testing-end.ts'
import { makeRepository, writeInto } from './testing-repository.ts'

const KEY = 'the-private-key-of-this-machine'
/** A part of what /proc/self/environ has in this process, which is the server. */
const ENVIRONMENT = fs.readFileSync('/proc/self/environ', 'latin1').split('\0').find((one) => one.length > 20) ?? 'none' // prettier-ignore

describe.skipIf(findBubblewrap() === null)('what is outside the folder of a run', () => {
  const root = useFolder()
  const server = useServer()
  const scripts = new Map<string, string[]>()
  const stub = useStub(({ body }) => {
    const prompt = body.messages.findLast(({ content }) => scripts.has(content))?.content ?? ''
    return { text: scripts.get(prompt)?.shift() ?? 'exit 0' }
  })
  /** A folder with a key, as ~/.ssh is. */
  const ssh = path.join(root, 'home', '.ssh')
  writeInto(ssh, { id_rsa: KEY, 'deep/id_rsa': KEY })

  let prompts = 0
  const newPrompt = (commands: readonly string[]): string => {
    const prompt = `Prompt ${(prompts += 1)}.`
    scripts.set(prompt, [...commands])
    return prompt
  }
  const bodyOf = (prompt: string, more: Partial<TaskRequest>) =>
    ({ prompt, agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url }, model: 'some', ...more }) as const
  const run = async (commands: readonly string[], more: Partial<TaskRequest>): Promise<Task> =>
    endOf(server.client, await server.client.createTask({ body: bodyOf(newPrompt(commands), more) }))
  const planOf = (directory: string) => server.client.planTask({ body: bodyOf('x', { directory }) })
  const notesOf = async ({ id }: Task) => {
    const { items } = await server.client.listTaskEvents({ params: { id }, query: {} })
    return items.filter(({ kind }) => kind === 'note').map(({ text }) => text)
  }

  /** Everything that leaves this machine, reaches the agent or is stored because of a run. */
  const requireNoLeak = async (task: Task, secrets = [KEY, ENVIRONMENT]): Promise<void> => {
    const params = { id: task.id }
    const folder = path.join(server.config.dataDir, 'tasks', task.id)
    const objects = execFileSync('git', [`--git-dir=${folder}/change.git`, 'cat-file', '--batch-all-objects', '--batch'])
    const shown = [
      objects.toString('latin1'),
      JSON.stringify(stub.received.map(({ raw }) => raw)),
      JSON.stringify(await server.client.getTaskChange({ params }).catch(String)),
      await server.client.readTaskPatch({ params }).then((answer) => answer.text(), String),
      JSON.stringify(await server.client.getTrace({ params: { id: task.traceId! } })),
      JSON.stringify(await server.client.listTaskEvents({ params, query: {} })),
    ].join('\n')
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([])
  }

  it('is not read where an agent replaced a tracked folder by a link, and stays out of the repository and the next turn', async () => {
    const directory = makeRepository(root, {
      'keys/id_rsa': 'dummy',
      'keys/deep/id_rsa': 'dummy',
      'p/environ': 'x',
      'p/cmdline': 'x',
      a: 'a',
    })
    const task = await run([`rm -rf keys p; ln -s ${ssh} keys; ln -s /proc/self p; echo b > a`, 'exit 0'], { directory })
    expect(task).toMatchObject({ state: 'unverified', error: null, change: { files: 7 } })
    const notes = await notesOf(task)
    expect(notes.filter((one) => one.startsWith('Not read from what the agent left'))).toEqual([
      'Not read from what the agent left: keys/deep/id_rsa, keys/id_rsa. keys is a link, and links are not followed.',
      'Not read from what the agent left: p/cmdline, p/environ. p is a link, and links are not followed.',
    ])
    await requireNoLeak(task)

    const swap = `while :; do rm -rf keys; ln -s ${ssh} keys; rm keys; mkdir keys; echo dummy > keys/id_rsa; done`
    const next = newPrompt(['cat keys/id_rsa keys/deep/id_rsa; ls -la keys p', `(setsid sh -c '${swap}' >/dev/null 2>&1 &)`, 'exit 0'])
    await server.client.messageTask({ params: { id: task.id }, body: { text: next } })
    const ended = await endOf(server.client, task)
    expect(ended.error).toBeNull()
    await requireNoLeak(ended)

    await server.client.handBackTask({ params: { id: task.id }, body: { how: 'apply' } })
    const entries = await inForeign(directory, (folder) => Array.fromAsync(folder.walk()))
    const files = entries.filter(({ kind }) => kind === 'file').map(({ name }) => path.join(directory, name))
    const texts = files.map((file) => fs.readFileSync(file, 'latin1')).join('\n')
    for (const secret of [KEY, ENVIRONMENT]) expect(texts.includes(secret)).toBe(false)
    expect(fs.readFileSync(path.join(directory, 'a'), 'utf8')).toBe('b\n')
  })

  it('is not copied from the folder that a run starts from, through a tracked or an ignored link', async () => {
    const directory = makeRepository(root, { 'sub/id_rsa': 'dummy', '.gitignore': 'node_modules\nvenv\n', a: 'a' })
    fs.rmSync(path.join(directory, 'sub'), { recursive: true })
    for (const name of ['sub', 'node_modules', 'venv']) fs.symlinkSync(ssh, path.join(directory, name))
    execFileSync('mkfifo', [path.join(directory, 'pipe')])
    const task = await run(['cat sub/id_rsa node_modules/id_rsa venv/id_rsa; ls -la . node_modules venv', 'echo b > a', 'exit 0'], {
      directory,
    })
    expect(task.error).toBeNull()
    expect(await notesOf(task)).toEqual(
      expect.arrayContaining([
        'Not copied: sub/id_rsa. sub is a link, and links are not followed.',
        'Not copied because they are links, which are not followed: node_modules, venv.',
      ]),
    )
    await requireNoLeak(task)
  })

  it('is not copied while a program swaps a folder and a link', async () => {
    const directory = makeRepository(root, { 'sub/id_rsa': 'dummy', a: 'a' })
    const swapper = await startSwapper(path.join(directory, 'sub'), ssh)
    onTestFinished(() => void swapper.kill('SIGKILL'))
    for (let n = 0; n < 3; n += 1) await requireNoLeak(await run(['cat sub/id_rsa; ls -la sub', 'exit 0'], { directory }))
    expect(swapper.exitCode).toBeNull()
  })

  describe('and a .git folder that a stranger made', () => {
    /** A repository whose history nobody else may see. */
    const secret = makeRepository(root, { 'secret.txt': KEY })
    const inSecret = (...args: string[]) => execFileSync('git', ['-C', secret, ...args], { encoding: 'utf8' }).trim()
    const head = inSecret('rev-parse', 'HEAD')
    const replace = (directory: string, name: string, make: (place: string) => void) => {
      fs.rmSync(path.join(directory, '.git', name), { recursive: true, force: true })
      make(path.join(directory, '.git', name))
    }
    const linked = (target: string) => (place: string) => fs.symlinkSync(target, place)
    const fifo = (place: string) => void execFileSync('mkfifo', [place])
    const sparse = (place: string) => {
      fs.writeFileSync(place, '')
      fs.truncateSync(place, 3 * 1024 ** 3)
    }
    const asked = (directory: string, text: string) => fs.appendFileSync(path.join(directory, '.git', 'config'), text)

    it.each<[string, (directory: string) => void, RegExp]>([
      ['.git is a link', (at) => replace(at, '', linked(path.join(secret, '.git'))), /its \.git is a link to/],
      ['.git is a FIFO', (at) => replace(at, '', fifo), /neither a folder nor a file/],
      ['.git names another repository', (at) => replace(at, '', (place) => fs.writeFileSync(place, `gitdir: ${secret}/.git\n`)), /does not name this folder/], // prettier-ignore
      ['.git never ends', (at) => replace(at, '', sparse), /\.git has \d+ bytes/],
      [
        'a working tree of another repository',
        (at) => {
          replace(at, '', (place) => fs.writeFileSync(place, 'gitdir: ./own\n'))
          writeInto(path.join(at, 'own'), { commondir: `${secret}/.git\n`, gitdir: `${at}/.git\n` })
        },
        /a part of another repository/,
      ],
      ['HEAD is a FIFO', (at) => replace(at, 'HEAD', fifo), /HEAD is not a regular file/],
      ['HEAD is a link', (at) => replace(at, 'HEAD', linked(path.join(secret, '.git/HEAD'))), /HEAD is a link/],
      [
        'a branch is a link',
        (at) => replace(at, 'refs/heads/trunk', linked(path.join(secret, '.git/refs/heads/trunk'))),
        /trunk is a link/,
      ],
      [
        'packed-refs is huge',
        (at) => {
          replace(at, 'refs/heads/trunk', () => {})
          replace(at, 'packed-refs', sparse)
        },
        /packed-refs has 3221225472 bytes/,
      ],
      [
        'the index is broken',
        (at) => replace(at, 'index', (place) => fs.writeFileSync(place, 'broken')),
        /index file smaller than expected/,
      ],
      ['the index is a link', (at) => replace(at, 'index', linked(path.join(secret, '.git/index'))), /index is a link/],
      [
        'the newest commit is missing',
        (at) => replace(at, 'refs/heads/trunk', (place) => fs.writeFileSync(place, `${'1'.repeat(40)}\n`)),
        /bad object/,
      ],
      ['an object is unreadable', (at) => replace(at, 'objects', (place) => fs.mkdirSync(place)), /cannot be read: git diff-index/],
      [
        'commondir names another repository',
        (at) => writeInto(at, { '.git/commondir': `${secret}/.git\n` }),
        /a part of another repository/,
      ],
      ['it uses SHA-256', (at) => asked(at, '[extensions]\n\tobjectformat = sha256\n'), /uses SHA-256/],
    ])('a plan says why it cannot be read: %s', async (_, attack, why) => {
      const directory = makeRepository(root, { a: 'a' })
      attack(directory)
      const { refusals, repository } = await planOf(directory)
      expect([repository, refusals[0]?.message]).toEqual([null, expect.stringMatching(why) as string])
      expect(refusals[0]?.hint).toBeTruthy()
      expect(await refusalOf(server.client.createTask({ body: bodyOf('x', { directory }) }))).toMatchObject({ code: 'task_refused' })
    })

    it.each<[string, (directory: string) => void, RegExp]>([
      [
        'alternates',
        (at) => {
          replace(at, 'objects/info/alternates', (place) => fs.writeFileSync(place, `${secret}/.git/objects\n`))
          replace(at, 'refs/heads/trunk', (place) => fs.writeFileSync(place, `${head}\n`))
        },
        /in another repository/,
      ],
      [
        'a link among the objects',
        (at) => {
          replace(at, `objects/${head.slice(0, 2)}`, linked(path.join(secret, '.git/objects', head.slice(0, 2))))
          for (const oid of inSecret('rev-list', '--all', '--objects', '--no-object-names').split('\n'))
            replace(at, `objects/${oid.slice(0, 2)}`, linked(path.join(secret, '.git/objects', oid.slice(0, 2))))
          replace(at, 'refs/heads/trunk', (place) => fs.writeFileSync(place, `${head}\n`))
        },
        /is a link/,
      ],
      [
        'settings that name other places and programs',
        (at) => {
          asked(
            at,
            `[core]\n\tworktree = ${ssh}\n\tfsmonitor = touch ${root}/ran\n[include]\n\tpath = ${root}/fifo\n[filter "x"]\n\tclean = touch ${root}/ran; cat\n\trequired\n`,
          )
          execFileSync('mkfifo', [path.join(root, 'fifo')])
          writeInto(at, { '.gitattributes': '* filter=x\n', a: 'changed' })
        },
        /^$/,
      ],
      [
        'a list of ignored files that is a link',
        (at) => replace(at, 'info/exclude', linked(path.join(ssh, 'id_rsa'))),
        /list of ignored files was not read: info\/exclude is a link/,
      ],
    ])('gives an agent nothing of other places: %s', async (_, attack, note) => {
      const directory = makeRepository(root, { a: 'a' })
      attack(directory)
      const task = await run(['git log -p --all; git cat-file --batch-all-objects --batch; ls -la', 'exit 0'], { directory })
      expect(task.error).toBeNull()
      expect(await planOf(directory)).toMatchObject({ refusals: [] })
      expect((await notesOf(task)).join('\n')).toMatch(note)
      expect(fs.existsSync(path.join(root, 'ran'))).toBe(false)
      await requireNoLeak(task)
    })

    it('is not cloned, and no file that it links to is written when a change is handed back', async () => {
      const borrowed = makeRepository(root, { a: 'a' })
      fs.writeFileSync(path.join(borrowed, '.git/objects/info/alternates'), `${secret}/.git/objects\n`)
      const clone = await run([], { repositoryUrl: borrowed })
      expect(clone.error?.message).toMatch(/could not be cloned: .* in another repository/)

      const directory = makeRepository(root, { a: 'a' })
      const task = await run(['echo b > a', 'exit 0'], { directory })
      const profile = path.join(root, 'profile')
      fs.writeFileSync(profile, 'mine\n')
      replace(directory, 'logs', () => {})
      writeInto(directory, { '.git/logs/refs/heads/other': '' })
      fs.symlinkSync(profile, path.join(directory, '.git/logs/HEAD'))
      for (const how of ['commit', 'apply'] as const)
        expect(await refusalOf(server.client.handBackTask({ params: { id: task.id }, body: { how, message: 'x' } }))).toMatchObject({
          message: expect.stringContaining('logs/HEAD in its git folder is a link') as string,
        })
      expect([fs.readFileSync(profile, 'utf8'), fs.readFileSync(path.join(directory, 'a'), 'utf8')]).toEqual(['mine\n', 'a'])
    })

    it.each<[string, (directory: string) => string, RegExp]>([
      [
        'git would find it through commondir, without objects of its own',
        (at) => {
          for (const name of ['objects', 'index', 'logs']) replace(at, name, () => {})
          writeInto(at, { '.git/commondir': `${secret}/.git\n`, HEAD: 'ref: refs/heads/trunk\n' })
          for (const name of ['objects', 'refs']) fs.mkdirSync(path.join(at, name))
          return at
        },
        /a part of another repository/,
      ],
      [
        'a bare one has commondir',
        (at) => {
          writeInto(at, { commondir: `${secret}/.git\n`, HEAD: 'ref: refs/heads/trunk\n' })
          for (const name of ['.git', 'objects', 'refs']) fs.rmSync(path.join(at, name), { recursive: true, force: true })
          for (const name of ['objects', 'refs']) fs.mkdirSync(path.join(at, name))
          return at
        },
        /a part of another repository/,
      ],
      [
        'a link with ".git" at its end leads to it, and the address leaves that out',
        (at) => {
          fs.symlinkSync(secret, path.join(at, 'other.git'))
          return path.join(at, 'other')
        },
        /HEAD does not exist|cannot be read|is not a git repository/,
      ],
    ])('is not cloned as another one: %s', async (_, attack, why) => {
      const directory = makeRepository(root, { a: 'a' })
      const task = await run(['git log -p --all; cat secret.txt', 'exit 0'], { repositoryUrl: attack(directory) })
      expect(task.error?.message).toMatch(/could not be cloned/)
      expect(task.error?.message).toMatch(why)
    })

    it('is cloned with its branches and nothing that no branch reaches', async () => {
      const directory = makeRepository(root, { a: 'a' })
      const git = (...args: string[]) => execFileSync('git', ['-C', directory, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { encoding: 'utf8' }).trim() // prettier-ignore
      git('branch', 'side')
      git('pack-refs', '--all')
      execFileSync('git', ['-C', directory, 'hash-object', '-w', '--stdin'], { input: KEY })
      const task = await run(['git branch -a; git log --format=%s; cat a; git cat-file --batch-all-objects --batch', 'echo b > a', 'exit 0'], { repositoryUrl: directory }) // prettier-ignore
      expect(task).toMatchObject({ error: null, change: { files: 1 } })
      await requireNoLeak(task)
    })

    it('that never ends delays nobody else, and is given up', { timeout: 120_000 }, async () => {
      const directory = makeRepository(root, { a: 'a' })
      execFileSync('mkfifo', [path.join(directory, '.gitignore')])
      const order: string[] = []
      const planned = planOf(directory).finally(() => order.push('plan'))
      await server.client.getHealth().finally(() => order.push('health'))
      expect((await planned).refusals[0]).toMatchObject({ message: expect.stringContaining('did not finish within 30 s') as string })
      expect(order).toEqual(['health', 'plan'])
    })
  })

  it('is not reached by a browser while a program swaps a folder above the repository and a link, and no answer is an error of ours', async () => {
    const { userHome } = server.config
    const hidden = path.join(userHome, '.private')
    fs.mkdirSync(hidden, { recursive: true })
    fs.renameSync(makeRepository(root, { 'secret.txt': KEY, a: 'a' }), path.join(hidden, 'repository'))
    const above = path.join(userHome, 'swapped')
    fs.mkdirSync(above)
    const directory = path.join(above, 'repository')
    fs.renameSync(makeRepository(root, { a: 'a' }), directory)
    const { url } = await server.client.createSignInLink()
    const { key } = await server.client.openSession({ body: { secret: new URL(url).hash.replace('#secret=', '') } })
    const { client } = overHttp(server.url, key)
    const script = 'echo ready; while :; do mv -T "$1" "$1.aside"; ln -s "$2" "$1"; rm "$1"; mv -T "$1.aside" "$1"; done'
    const swapper = spawn('/bin/sh', ['-c', script, 'sh', above, hidden], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void swapper.kill('SIGKILL'))
    await once(swapper.stdout, 'data')
    const refusals: string[] = []
    const counts = new Set([1])
    const refused = (error: { code: string }) => void refusals.push(error.code)
    for (let n = 0; n < 40; n += 1) {
      const plan = await client.planTask({ body: bodyOf('x', { directory }) }).catch(refused)
      if (plan?.repository) counts.add(plan.repository.files)
      await client.findChecks({ body: { directory } }).catch(refused)
    }
    for (let n = 0; n < 6; n += 1) {
      const started = await client.createTask({ body: bodyOf(newPrompt(['cat secret.txt; git log', 'exit 0']), { directory }) }).catch(refused) // prettier-ignore
      if (!started) continue
      const ended = await endOf(server.client, started)
      if (ended.change !== null) await requireNoLeak(ended)
    }
    expect([...counts]).toEqual([1]) // the hidden one has two files
    expect(JSON.stringify(stub.received.map(({ raw }) => raw)).includes(KEY)).toBe(false)
    expect(new Set(refusals).difference(new Set(['path_refused', 'task_refused', 'confirmation_required', 'invalid_request']))).toEqual(
      new Set(),
    )
    expect(swapper.exitCode).toBeNull()
  })

  it('is still read where a repository is made of several parts: a working tree, a submodule, a partly checked out one', async () => {
    const main = makeRepository(root, { a: 'a', 'b/b': 'b' })
    const git = (at: string, ...args: string[]) => execFileSync('git', ['-C', at, '-c', 'protocol.file.allow=always', '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { stdio: 'pipe' }) // prettier-ignore
    const tree = path.join(root, 'tree')
    git(main, 'worktree', 'add', '-q', '-b', 'side', tree)
    git(main, 'pack-refs', '--all')
    git(main, 'submodule', '--quiet', 'add', makeRepository(root, { c: 'c' }), 'inner')
    git(main, 'commit', '-qm', 'inner')
    const separate = path.join(root, 'separate')
    execFileSync('git', ['init', '-q', `--separate-git-dir=${separate}.git`, separate])
    expect((await planOf(separate)).refusals[0]).toMatchObject({ hint: `If it is yours: git --git-dir=${separate}.git config core.worktree ${separate}` }) // prettier-ignore
    git(separate, 'config', 'core.worktree', separate)
    expect(await planOf(separate)).toMatchObject({ refusals: [], repository: { commit: null, files: 0 } })
    expect(await planOf(path.join(tree, 'b'))).toMatchObject({ refusals: [], repository: { branch: 'side', files: 2, uncommitted: 0 } })
    expect(await planOf(path.join(main, 'inner'))).toMatchObject({
      refusals: [],
      repository: { branch: 'trunk', files: 1, uncommitted: 0 },
    })
    git(tree, 'sparse-checkout', 'set', '--no-cone', '/a')
    expect(await planOf(tree)).toMatchObject({ refusals: [], repository: { files: 1, uncommitted: 0 } })
    expect(await run(['git log --format=%s; ls', 'echo c > c', 'exit 0'], { directory: tree })).toMatchObject({
      error: null,
      change: { files: 1 },
    })
  })
})

/** Makes `place` by turns a folder with a file and a link to `target`. */
async function startSwapper(place: string, target: string): Promise<ChildProcess> {
  const script = 'echo ready; while :; do rm -rf "$1"; ln -s "$2" "$1"; rm "$1"; mkdir "$1"; echo dummy > "$1/id_rsa"; done'
  const child = spawn('/bin/sh', ['-c', script, 'sh', place, target], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return child
}
