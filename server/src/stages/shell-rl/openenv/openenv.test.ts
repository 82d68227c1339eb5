/** What OpenEnv's clients rely on, over the wire: the recorded frames, the routes, and what the protocol requires beyond them. */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { overHttp } from '#server/cli/connect.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { useFolder } from '#server/testing/folders.ts'

type Frame = { type: string; data: Record<string, any> } // eslint-disable-line -- tests read nested fields of responses
interface Client {
  ask: (message: unknown) => Promise<Frame>
  next: () => Promise<Frame>
  closed: Promise<number>
  socket: WebSocket
}

const TOKEN = 'the-token-of-the-environments-of-this-test'
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` }

function connect(url: string, headers: Record<string, string> = AUTHORIZATION): Client {
  const socket = new WebSocket(url.replace('http', 'ws'), { headers })
  const frames: Frame[] = []
  const waiting: ((frame: Frame) => void)[] = []
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as Frame
    const next = waiting.shift()
    if (next) next(frame)
    else frames.push(frame)
  })
  const opened = new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  const next = () => {
    const frame = frames.shift()
    return frame ? Promise.resolve(frame) : new Promise<Frame>((resolve) => waiting.push(resolve))
  }
  return {
    socket,
    closed,
    next,
    async ask(message) {
      await opened
      socket.send(typeof message === 'string' ? message : JSON.stringify(message))
      return next()
    },
  }
}

const step = (args: object, name = 'terminal') => ({ type: 'step', data: { type: 'call_tool', tool_name: name, arguments: args } })
const reset = (data: object) => ({ type: 'reset', data })
const textOf = ({ data }: Frame): string => data.observation.result.data as string

describe.skipIf(findBubblewrap() === null)('a server of environments', () => {
  let server: TestServer
  let url: string
  const folder = useFolder()
  const tasks = path.join(folder, 'tasks.jsonl')
  const start = async (more: object = {}) => server.client.startEnvironment({ body: { token: TOKEN, ...more } })
  beforeAll(async () => {
    const rows = [1, 2].map((no) => ({ task_id: `t${no}`, task: `Write ${no} into a`, setup_commands: ['cd /root', 'touch b'], success_condition: `grep -qx ${no} /root/a`, difficulty_level: 1 })) // prettier-ignore
    fs.writeFileSync(tasks, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    server = await startTestServer({ config: { ...testConfig(), sandboxes: { running: 8, queue: 8 } } })
    url = (await start({ maxSessions: 3, showChecks: false })).url
  })
  afterAll(async () => {
    await server.close()
  })
  const started = async () => (await server.client.listSandboxes({ query: { status: 'started' } })).items.map(({ id }) => id)
  const json = async (address: string, body?: unknown, headers = {}) => {
    const init = body === undefined ? {} : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await fetch(`${url}${address}`, { ...init, headers: { ...AUTHORIZATION, ...headers } })
    return { status: response.status, body: (await response.json()) as Record<string, any>, headers: response.headers } // eslint-disable-line -- as above
  }

  it('answers the recorded frames', async () => {
    const { ask, closed, socket } = connect(`${url}/ws`)
    expect(await ask('not json')).toMatchObject({ type: 'error', data: { code: 'INVALID_JSON' } })
    expect(await ask({ type: 'bogus' })).toEqual({ type: 'error', data: { message: 'Unknown message type: bogus', code: 'UNKNOWN_TYPE' } })
    expect(await ask({ type: 'step' })).toEqual({
      type: 'error',
      data: {
        message: 'Invalid message',
        code: 'VALIDATION_ERROR',
        errors: [{ type: 'missing', loc: ['data'], msg: 'Field required', input: { type: 'step' } }],
      },
    })
    expect(await ask('[1]')).toMatchObject({ type: 'error', data: { code: 'VALIDATION_ERROR' } })
    expect(await ask({ type: 'state', extra: 1 })).toMatchObject({ data: { code: 'VALIDATION_ERROR', errors: [{ loc: ['extra'] }] } })
    expect(await ask({ type: 'step', data: { type: 'call_tool' } })).toMatchObject({ data: { errors: [{ type: 'missing', loc: ['tool_name'] }] } }) // prettier-ignore
    const none = { setup_results: [], verify_commands: [], verify_results: [], commands: [], submitted_answer: null, last_reward: null, last_error: null } // prettier-ignore
    expect((await ask({ type: 'state' })).data).toMatchObject({ step_count: 0, sandbox_id: null, ...none })
    expect(await ask({ type: 'step', data: { type: 'list_tools' } })).toEqual({
      type: 'observation',
      data: {
        observation: {
          metadata: {},
          tools: [
            {
              name: 'terminal',
              description: expect.any(String),
              input_schema: {
                type: 'object',
                additionalProperties: false,
                properties: { command: { default: '', type: 'string' }, final_answer: { default: '', type: 'string' } },
              },
            },
          ],
        },
        reward: 0,
        done: false,
      },
    })
    const early = await ask(step({ command: 'pwd' }))
    expect([textOf(early), early.data.reward, early.data.done]).toEqual(['Error: environment not reset. Call reset() first.', 0, false])

    const ready = await ask(
      reset({ setup: ['echo x > in'], verify: ['test -f /home/user/work/answer.txt', 'true'], episode_id: 'ep-1', seed: 3 }),
    )
    expect(ready.data).toMatchObject({ reward: null, done: false, metadata: { status: 'ready', checks: 2 } })
    expect(ready.data.observation.metadata).toEqual(ready.data.metadata)
    expect(JSON.stringify(ready)).not.toContain('answer.txt') // checks are hidden from agents
    const text = '/home/user\nin\nlogs\nwork\nerr\nERROR:\nexit code 1'
    expect(await ask(step({ command: 'pwd; ls; echo err >&2; false' }))).toEqual({
      type: 'observation',
      data: {
        observation: {
          metadata: {},
          tool_name: 'terminal',
          result: {
            content: [{ type: 'text', text, annotations: null, meta: null }],
            structured_content: { result: text },
            meta: {},
            data: text,
            is_error: false,
          },
          error: null,
        },
        reward: 0,
        done: false,
      },
    })
    expect(await ask(step({}, 'nope'))).toEqual({
      type: 'observation',
      data: {
        observation: {
          metadata: {},
          tool_name: 'nope',
          result: null,
          error: { error_type: 'tool_not_found', message: "Unknown tool: 'nope'" },
        },
        reward: 0,
        done: false,
      },
    })
    expect((await ask(step({ bad: 1 }))).data.observation.error.error_type).toBe('invalid_args')
    expect((await ask({ type: 'state' })).data).toMatchObject({
      episode_id: 'ep-1',
      step_count: 3,
      commands: [{ success: false, exit_code: 1 }],
    })
    expect(textOf(await ask(step({ command: ' ' })))).toBe('Error: command or final_answer is required.')
    const end = await ask(step({ final_answer: 'done' }))
    expect([textOf(end), end.data.reward, end.data.done]).toEqual([
      'Answer submitted: done\nVerification: 1/2 passed; reward=0.5',
      0.5,
      true,
    ])
    const late = await ask(step({ command: 'touch /home/user/late' }))
    expect(late.data).toMatchObject({ reward: 0, done: true, observation: { result: null, error: { error_type: 'execution_error' } } })
    expect((await ask({ type: 'state' })).data).toMatchObject({
      submitted_answer: 'done',
      last_reward: 0.5,
      verify_results: [{ success: false }, { success: true }],
    })

    for (const [data, why] of [
      [{ setup: ['true', 'exit 3'] }, /exit code 3/],
      [{ sandbox_backend: 'bogus' }, /bogus.*bubblewrap/],
      [{ sandbox_backend: 'docker' }, /--allow-task-keys sandbox_backend/],
      [{ sandbox_colour: 'red' }, /sandbox_colour/],
      [{ image: 'ubuntu' }, /unknown sandbox key image.*sandbox_image/],
      [{ task_id: 'x' }, /--tasks/],
    ] as const) {
      const failed = await ask(reset(data))
      expect(failed.data).toMatchObject({ reward: null, done: true, metadata: { status: 'error', error: expect.stringMatching(why) } })
      expect(failed.data.observation.metadata).toEqual(failed.data.metadata)
      expect((await ask({ type: 'state' })).data).toMatchObject({ sandbox_id: null, last_error: failed.data.metadata.error })
    }
    expect(await started()).toEqual([])
    expect(await ask(reset({ seed: -1, setup: 5 }))).toMatchObject({
      data: { code: 'VALIDATION_ERROR', errors: [{ loc: ['seed'] }, { loc: ['setup'] }] },
    })
    expect(await ask(reset({ verify: ['true', ' # later'] }))).toMatchObject({
      data: { code: 'VALIDATION_ERROR', errors: [{ loc: ['verify'] }] },
    })
    socket.send('{"type":"close"}')
    expect(await closed).toBe(1000)
  })

  it('keeps the shell between steps, and accepts only a reward that the checks themselves write', async () => {
    const { ask, socket } = connect(`${url}/ws`)
    await ask(reset({ verify: ['[ "$(cat /root/n)" = 2 ]', 'mkdir -p /logs/verifier; echo 0.25 > /logs/verifier/reward.txt; false'] }))
    await ask(step({ command: 'x=2; cd /root; mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.json' }))
    await ask(step({ command: 'echo $x > n; while :; do echo 1 > /logs/verifier/reward.txt; done &' }))
    expect(textOf(await ask(step({ command: 'exit 4' })))).toMatch(/exit code 4\nThe shell ended; a new one is open/)
    expect(textOf(await ask(step({ command: 'cat /root/n', final_answer: 'both' })))).toBe('2')
    expect((await ask(step({ final_answer: 'x' }))).data).toMatchObject({ reward: 0.25, done: true })

    await ask(reset({ verify: ['echo true > /logs/verifier/reward.txt'] }))
    expect((await ask(step({ final_answer: 'x' }))).data).toMatchObject({
      reward: null,
      done: true,
      metadata: { error: expect.stringContaining('reward.txt') },
    })
    await ask(reset({}))
    expect((await ask(step({ final_answer: 'x' }))).data).toMatchObject({ reward: null, done: true })
    socket.close()
  })

  it('runs each message as a command if the form is `command`; an episode ends when its shell exits', async () => {
    const { url: own, id } = await start({ form: 'command', reward: 'shell-v1', tasks, maxTurns: 3 })
    const { ask } = connect(`${own}/ws`)
    const ready = await ask(reset({ task_id: 't2' }))
    expect(ready.data.metadata).toMatchObject({ status: 'ready', task_id: 't2', instruction: 'Write 2 into a', checks: 1 })
    const first = await ask(step({ command: 'false' }))
    expect([textOf(first), first.data.metadata]).toMatchObject(['(no output)', { exit_code: 1, exited: false }])
    const solved = await ask(step({ command: 'echo 2 > /root/a; exit' }))
    expect(solved.data).toMatchObject({ done: true, metadata: { how: 'exited', success: true, turns: 2, nonzero_exit_codes: 1, reward_terms: { success: 1, turns: 2, exit_error_rate: 0.5 } } }) // prettier-ignore
    expect(solved.data.reward).toBeCloseTo(1 - 0.4 * (1 - 1 / (1 + Math.exp((2 - 15) / 2.5))) - 0.05, 10)
    await ask(reset({ task_id: 't1' }))
    await ask(step({ command: 'false' }))
    expect((await ask({ type: 'step', data: { type: 'end_episode' } })).data).toMatchObject({
      done: true,
      metadata: { how: 'ended', success: false, reward_terms: { turns: 1, nonzero_exit_codes: 1 } },
    })
    await ask(reset({ task_id: 't2' }))
    await ask(step({ command: 'echo 2 > /root/a' }))
    const cutOff = await ask({ type: 'step', data: { type: 'end_episode', cut_off: true } })
    expect(cutOff.data).toMatchObject({
      done: true,
      metadata: {
        how: 'cut_off',
        success: false,
        turns: 2,
        reward_terms: { success: 0, turns: 2, nonzero_exit_codes: 0, fail_penalty: 0.03 },
      },
    }) // it solved its task, but failed
    expect(cutOff.data.reward).toBeCloseTo(-0.03 - (0.1 * 2) / 3, 10)
    expect((await ask({ type: 'step', data: { type: 'end_episode', cut_off: 'yes' } })).type).toBe('error')
    await ask(reset({ split: 'train', index: 0 }))
    await ask(step({ command: 'true' }))
    await ask(step({ command: '' }))
    expect((await ask(step({ command: '# nothing' }))).data).toMatchObject({
      done: true,
      reward: -0.03,
      metadata: { how: 'turns', success: false },
    })
    await server.client.stopEnvironment({ params: { id } })
  })

  it('accepts no more sessions than configured, and removes the sandbox of a connection that ends', async () => {
    const eventTypes = new Set<string>()
    const unsubscribe = server.app.core.events.subscribe(({ type }) => eventTypes.add(type))
    const clients = [connect(`${url}/ws`), connect(`${url}/ws`), connect(`${url}/ws`)]
    await Promise.all(clients.map(({ ask }) => ask(reset({}))))
    expect(await started()).toHaveLength(3)
    const fourth = connect(`${url}/ws`)
    expect(await fourth.next()).toMatchObject({ type: 'error', data: { code: 'CAPACITY_REACHED', active_sessions: 3, max_sessions: 3 } })
    expect(await fourth.closed).toBe(1000)
    expect(textOf(await clients[0]!.ask(step({ command: 'echo on' })))).toBe('on')
    const allEnded = new Promise<void>((resolve) => {
      const stop = server.app.core.events.subscribe(async () => {
        if ((await started()).length > 0) return
        stop()
        resolve()
      })
    })
    clients[0]!.socket.send(JSON.stringify(step({ command: 'sleep 1000' })))
    for (const { socket } of clients) socket.terminate()
    await allEnded
    unsubscribe()
    expect([...eventTypes]).toContain('environment:sessions')
    expect(server.contractViolations).toEqual([])
  })

  it('continues over HTTP the episode that a reset started', async () => {
    expect((await json('/step', {})).body.detail).toMatchObject([{ type: 'missing', loc: ['body', 'action'] }])
    expect((await json('/step', {})).status).toBe(422)
    const action = { type: 'call_tool', tool_name: 'terminal', arguments: { command: 'cat a' } }
    expect(await json('/step', { action })).toMatchObject({ status: 400, body: { detail: expect.stringContaining('session_id') } })
    const begun = await json('/reset', { setup: 'echo one > a' })
    expect(begun.body).toMatchObject({ done: false, session_id: expect.any(String) })
    const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
    expect((await json('/step', { action }, { cookie })).body.observation.result.data).toBe('one')
    expect((await json(`/state?session_id=${begun.body.session_id}`)).body).toMatchObject({ step_count: 1 })
    await json('/mcp', { jsonrpc: '2.0', id: 1, method: 'openenv/session/close', params: { session_id: begun.body.session_id } })
    expect((await json('/state')).body).toMatchObject({ step_count: 0 })
    expect(await json('/terminal/splits')).toMatchObject({ status: 501 })
    expect((await json('/health')).body).toEqual({ status: 'healthy' })
  })

  it('lets agents call the tool over MCP; the trainer sees the turns and the reward', async () => {
    const rpc = async (method: string, params?: object) => (await json('/mcp', { jsonrpc: '2.0', id: 7, method, params })).body
    expect((await json('/mcp', '{')).body.error.code).toBe(-32_700)
    expect((await json('/mcp', {})).body).toMatchObject({ id: null, error: { code: -32_600 } })
    expect((await rpc('reset')).error.code).toBe(-32_601)
    expect((await rpc('tools/call', {})).error.code).toBe(-32_602)
    expect((await rpc('tools/call', { name: 'terminal', session_id: 'no' })).error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('no'),
    })
    expect((await rpc('tools/call', { name: 'nope' })).error.code).toBe(-32_603)
    expect((await rpc('initialize', { protocolVersion: '2025-03-26' })).result).toMatchObject({ protocolVersion: '2025-03-26' })
    expect((await rpc('tools/list')).result.tools).toMatchObject([{ name: 'terminal', inputSchema: { type: 'object' } }])
    const { session_id: session } = (await rpc('openenv/session/create')).result
    const trainer = connect(`${url}/ws?session_id=${session}`)
    await trainer.ask(reset({ verify: 'test -f /tmp/a' }))
    const call = (args: object) => rpc('tools/call', { name: 'terminal', arguments: args, session_id: session })
    expect((await call({ command: 'touch /tmp/a; echo hi' })).result).toMatchObject({ data: 'hi', structured_content: { result: 'hi' } })
    const answer = await call({ final_answer: 'x' })
    expect(JSON.stringify(answer)).not.toMatch(/"reward"/)
    expect((await trainer.ask({ type: 'state' })).data).toMatchObject({ step_count: 2, last_reward: 1, submitted_answer: 'x' })
    expect((await rpc('openenv/session/close', { session_id: session })).error.code).toBe(-32_000)
    const second = connect(`${url}/ws?session_id=${session}`)
    expect(await second.next()).toMatchObject({ type: 'error', data: { code: 'SESSION_ERROR' } })
    const frame = await trainer.ask({ type: 'mcp', data: { jsonrpc: '2.0', id: 1, method: 'openenv/session/create' } })
    expect(frame).toMatchObject({ type: 'mcp', data: { result: { session_id: session } } })
    trainer.socket.send('{"type":"close"}')
    await trainer.closed
  })

  it('in production, refuses a reset over HTTP, lists its tasks and requires its token', async () => {
    const { id, url: own, token, spec } = await server.client.startEnvironment({ body: { mode: 'production', tasks } })
    const call = async (address: string, body?: object, authorization = `Bearer ${token}`) => {
      const response = await fetch(`${own}${address}`, {
        headers: { authorization },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    }
    expect(spec.port).toBe(Number(new URL(own).port))
    for (const address of ['/reset', '/step']) expect((await call(address, {})).status).toBe(404)
    expect((await call('/state')).status).toBe(404)
    expect((await call('/metadata', undefined, 'Bearer wrong')).status).toBe(401)
    await expect(connect(`${own}/ws`, {}).ask({ type: 'state' })).rejects.toThrow('401')
    expect(await call('/list_environments')).toEqual({ status: 200, body: ['terminal'] })
    expect(await call('/terminal/num_tasks', { split: 'train' })).toEqual({ status: 200, body: { num_tasks: 2 } })
    expect(await call('/terminal/task', { split: 'train', index: 1 })).toMatchObject({ body: { task: { id: 't2', index: 1 } } })
    expect((await call('/terminal/task', { split: 'train', index: 2 })).status).toBe(400)
    expect(JSON.stringify(await call('/terminal/tasks', { split: 'train' }))).not.toContain('grep')
    await server.client.stopEnvironment({ params: { id } })
  })

  it('does not start for other machines from a browser, nor if deadlines contradict each other', async () => {
    const secret = new URL((await server.client.createSignInLink()).url).hash.replace('#secret=', '')
    const { client: browser } = overHttp(server.url, (await server.client.openSession({ body: { secret } })).key)
    await expect(browser.startEnvironment({ body: { host: '0.0.0.0' } })).rejects.toMatchObject({ code: 'confirmation_required' })
    await expect(start({ deadlines: { commandSec: 60 } })).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('60 s < step 55 s') }) // prettier-ignore
    await expect(start({ tasks: path.join(folder, 'none.jsonl') })).rejects.toMatchObject({ code: 'path_refused' })
    await expect(start({ tasks: 'none' })).rejects.toMatchObject({ code: 'shell_split_not_found' })
  })
})
