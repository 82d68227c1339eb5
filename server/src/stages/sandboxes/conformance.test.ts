/** Behaviour that every client of sandboxes relies on, tested in this process, over `/api` and over the service for sandboxes alone, with a terminal and with pipes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '#contracts/errors.ts'
import { fromSnake, toSnake } from '#server/snake-case.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { inProcessClient } from '#server/app.ts'
import { serveSandboxes } from '#server/serve-sandboxes.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { soaking } from '#server/testing/soak.ts'

interface Answer {
  status: number
  value: Record<string, unknown>
}
type Act = 'start' | 'exec' | 'stop'
interface Surface {
  created: 200 | 201
  create(spec: object, key?: string): Promise<Answer>
  /** `body` in camelCase; a text is sent as it is. */
  act(id: string, act: Act, body?: object): Promise<Answer>
}

interface Step {
  command: string
  standalone: boolean
  output: string
  code: number
  exited: boolean
}
const session = (command: string, output: string, code = 0): Step => ({ command, standalone: false, output, code, exited: false })
const standalone = (command: string, output: string, code = 0): Step => ({ ...session(command, output, code), standalone: true })
const last = (command: string, output: string, code: number): Step => ({ ...session(command, output, code), exited: true })

const HELLO = session("echo 'Hello, World!' && cd not-exists", 'Hello, World!\nbash: cd: not-exists: No such file or directory', 1)
const COMMENT = session('# This is a comment', '')
const STATUS = [session('false', '', 1), session('echo $?', '1')]
const LINES = session("echo 'First line'\necho 'Second line'\necho 'Third line'", 'First line\nSecond line\nThird line')

const CASES: { name: string; setupCommands?: string[]; steps: Step[] }[] = [
  { name: 'starts without set-up', steps: [] },
  { name: 'says errors in the words and the order of an interactive bash', steps: [HELLO] },
  { name: 'does nothing for a comment and for nothing', steps: [COMMENT, session('', ''), session('\n  \n', '')] },
  {
    name: 'runs set-up, whose folder is not that of the session',
    setupCommands: ['cd /tmp', "echo 'Setting up' > /tmp/setup.txt"],
    steps: [session('cd /tmp', ''), session('cat setup.txt', 'Setting up')],
  },
  { name: 'runs a standalone command beside the session', steps: [session('cd /tmp', ''), standalone('pwd', '/\n'), standalone('exit 9', '', 9)] }, // prettier-ignore
  {
    name: 'runs pipelines, files and quotes over several lines',
    steps: [
      session("echo -e 'Hello, World!!\nHow you doing?\nHello' | grep 'Hello' > output.txt && cat output.txt", 'Hello, World!!\nHello'),
      session("echo 'Q0xVIFdBUyBIRVJF' | base64 -d ", 'CLU WAS HERE'),
    ],
  },
  { name: 'keeps the status of the command before', steps: STATUS },
  { name: 'runs several lines as one command', steps: [LINES] },
  {
    name: 'runs variables, conditions, loops, heredocs and functions',
    steps: [
      session('A=1; B="two!"\necho "$A $B"', '1 two!'),
      session('if [ -z "$NONE" ]; then echo empty; else echo full; fi', 'empty'),
      session('for i in 1 2 3; do echo "n$i"; done | tail -1', 'n3'),
      session('cat <<EOF\nA is $A\nEOF', 'A is 1'),
      session('f() { echo "f:$1"; return 4; }', ''),
      session('f x', 'f:x', 4),
      session('sleep 0 & wait $!; (exit 3) | true; echo "${PIPESTATUS[0]}"', expect.stringMatching(/(^|\n)3$/)),
    ],
  },
  {
    name: 'goes on without its session, which ended in the middle of a command',
    steps: [session('echo kept > /tmp/kept', ''), last('echo a; exit 7; echo b', 'a', 7), standalone('cat /tmp/kept', 'kept\n')],
  },
]

const TOKEN = 'the-token-of-the-service-of-this-test'

describe.skipIf(findBubblewrap() === null)('sandboxes behave the same for every client', () => {
  let server: TestServer
  let bare: Awaited<ReturnType<typeof serveSandboxes>>
  const surfaces: Partial<Record<Name, Surface>> = {}
  beforeAll(async () => {
    server = await startTestServer({ config: { ...testConfig(), sandboxes: { running: 4, queue: 4 } } })
    bare = await serveSandboxes({ client: server.client, most: {}, images: null, host: '127.0.0.1', port: 0, token: TOKEN })
    surfaces['in process'] = inProcess(server)
    surfaces['/api'] = overFetch({ url: `${server.url}/api`, headers: { authorization: server.authorization }, created: 201, rename: (body) => body, back: (body) => body }) // prettier-ignore
    surfaces['the bare service'] = overFetch({
      url: bare.url,
      headers: { authorization: `Bearer ${TOKEN}` },
      created: 200,
      rename: toSnake,
      back: fromSnake,
    })
  })
  afterAll(async () => {
    await bare.close()
    await server.close()
  })

  describe.each(['in process', '/api', 'the bare service'] as const)('%s', (name) => {
    const surface = () => surfaces[name]!
    const created = async (more: object = {}) => {
      const { status, value } = await surface().create({ image: 'host', setupCommands: [], ...more })
      expect([status, value['id']]).toEqual([surface().created, expect.stringMatching(/^[0-9a-f-]{36}$/)])
      return String(value['id'])
    }
    const started = async (more: object = {}) => {
      const id = await created(more)
      expect((await surface().act(id, 'start')).status).toBe(200)
      return id
    }
    const run = (id: string, step: Pick<Step, 'command' | 'standalone'>) =>
      surface().act(id, 'exec', { command: step.command, standalone: step.standalone })
    const remove = async (id: string) => expect((await surface().act(id, 'stop', { remove: true })).status).toBe(200)

    describe.each([true, false])('tty %s', (tty) => {
      it.each(CASES)('$name', async ({ setupCommands = [], steps }) => {
        const id = await started({ setupCommands, tty })
        for (const step of steps) {
          const { output, code: exitCode, exited } = step
          const answer = await run(id, step)
          expect(answer).toMatchObject({ status: 200, value: { output, exitCode, exited } })
          const unasked = step === steps[0] ? (answer.value['before'] ?? '') : ''
          expect(unasked, 'nothing comes before the first command').toBe('')
        }
        await remove(id)
      })

      it('runs a long command, and refuses one that is too long for the guardrails', async () => {
        const id = await started({ tty })
        const text = 'x'.repeat(250_000)
        for (const make of [session, standalone])
          expect(await run(id, make(`: ${text}`, ''))).toMatchObject({ status: 200, value: { exitCode: 0 } })
        for (const length of [300_000, 1_048_576 - 2]) expect((await run(id, session(`: ${'x'.repeat(length)}`, ''))).status).toBe(413)
        expect((await run(id, session('x'.repeat(1_048_577), ''))).status).toBe(400)
        await remove(id)
      })

      it('refuses a NUL, and continues', async () => {
        const id = await started({ tty })
        for (const make of [session, standalone]) expect((await run(id, make('echo a\0b', ''))).status).toBe(400)
        expect(await run(id, HELLO)).toMatchObject({ status: 200, value: { output: HELLO.output } })
        await remove(id)
      })
    })

    it('removes a sandbox on request; its id is then unknown', async () => {
      const id = await started()
      await remove(id)
      for (const act of ['start', 'stop'] as const) expect((await surface().act(id, act)).status).toBe(404)
    })

    it('refuses unknown ids', async () => {
      for (const act of ['start', 'stop'] as const) expect((await surface().act('non-existent-id', act)).status).toBe(404)
      expect((await run('non-existent-id', COMMENT)).status).toBe(404)
    })

    it('starts only once, and runs nothing before its start or in a session that has ended', async () => {
      const id = await created()
      expect((await run(id, COMMENT)).status).toBe(400)
      expect((await surface().act(id, 'stop')).status).toBe(400)
      expect((await surface().act(id, 'start')).status).toBe(200)
      expect((await surface().act(id, 'start')).status).toBe(400)
      await run(id, last('exit 3', '', 3))
      expect((await run(id, COMMENT)).status).toBe(400)
      expect((await surface().act(id, 'stop')).status).toBe(200)
      expect((await surface().act(id, 'stop')).status).toBe(400)
      expect((await run(id, COMMENT)).status).toBe(400)
      await remove(id)
    })

    it('creates one sandbox for each idempotency key, also of calls at the same moment', async () => {
      const spec = { image: 'host', setupCommands: [] }
      const ids = async (key: string) => {
        const answers = await Promise.all([1, 2, 3].map(() => surface().create(spec, key)))
        return new Set(answers.map(({ value }) => value['id']))
      }
      const [one] = await ids('"first" key')
      expect([...(await ids('"first" key'))]).toEqual([one])
      const [other] = await ids('the second key')
      expect(other).not.toBe(one)
      for (const id of [one, other]) await remove(String(id))
      expect([...(await ids('"first" key'))]).not.toContain(one)
    })
  })

  it.each([true, false])('gives the same responses every time, two sandboxes at a time (tty %s)', async (tty) => {
    const surface = surfaces['in process']!
    const rounds = async () => {
      const { value } = await surface.create({ tty })
      const id = String(value['id'])
      await surface.act(id, 'start')
      for (let round = 0; round < soaking(10, 200); round += 1)
        for (const { command, output, code: exitCode } of [HELLO, COMMENT, ...STATUS, LINES])
          expect((await surface.act(id, 'exec', { command })).value).toMatchObject({ output, exitCode })
      await surface.act(id, 'stop', { remove: true })
    }
    await Promise.all([rounds(), rounds()])
  })
})

type Name = 'in process' | '/api' | 'the bare service'

function inProcess({ app }: TestServer): Surface {
  const client = inProcessClient(app)
  const answer = (call: Promise<unknown>): Promise<Answer> =>
    call.then(
      (value) => ({ status: 200, value: value as Answer['value'] }),
      (error: unknown) => ({ status: error instanceof AppError ? error.status : 0, value: {} }),
    )
  return {
    created: 200,
    create: (spec, key) => answer(client.createSandbox({ body: { ...spec, ...(key !== undefined && { idempotencyKey: key }) } })),
    act(id, act, body = {}) {
      const params = { id }
      if (act === 'start') return answer(client.startSandbox({ params }))
      if (act === 'stop') return answer(client.stopSandbox({ params, body }))
      return answer(client.execInSandbox({ params, body: { command: '', ...body } }))
    },
  }
}

interface Wire {
  url: string
  headers: Record<string, string>
  created: 200 | 201
  rename: (body: unknown) => unknown
  back: (body: unknown) => unknown
}

function overFetch({ url, headers, created, rename, back }: Wire): Surface {
  const post = async (path: string, body: object, more: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...more, 'content-type': 'application/json' },
      body: JSON.stringify(rename(body)),
    })
    const text = await answer.text()
    return { status: answer.status, value: text.startsWith('{') ? (back(JSON.parse(text)) as Answer['value']) : {} }
  }
  return {
    created,
    create: (spec, key) => post('/sandboxes', spec, key === undefined ? {} : { 'idempotency-key': key }),
    act: (id, act, body = {}) => post(`/sandboxes/${id}/${act}`, body),
  }
}
