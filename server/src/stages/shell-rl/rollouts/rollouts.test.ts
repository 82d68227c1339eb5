import { describe, expect, it } from 'vitest'
import type { Episode, RolloutSet } from '#contracts/entities/rollout.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { useServer, useStub } from '#server/testing/use.ts'

/** The text of an answer, or another reply to a request. */
type ScriptedReply = Exclude<Reply, 'hang' | 'cut'> | string

const TASK = { task: 'Make the file /srv/done.', setup: ['mkdir -p /srv'], check: 'test -e /srv/done', difficulty: 1 }

describe.skipIf(findBubblewrap() === null)('a set of rollouts', () => {
  const server = useServer()
  /** The model's replies by task: a list of messages for each attempt. */
  const scripts = new Map<string, Reply[][]>()
  const begun = new Map<string, number>()
  const stub = useStub(({ body }) => {
    const task = body.messages.find(({ role }) => role === 'user')!.content
    const turn = body.messages.filter(({ role }) => role === 'assistant').length
    const attempts = scripts.get(task) ?? []
    if (turn === 0) begun.set(task, (begun.get(task) ?? -1) + 1)
    return attempts[(begun.get(task) ?? 0) % attempts.length]?.[turn] ?? { text: 'exit 0' }
  })

  let made = 0
  const taskFor = (attempts: ScriptedReply[][], more: Partial<typeof TASK> = {}) => {
    const task = { ...TASK, ...more, task: `${TASK.task} ${(made += 1)}` }
    scripts.set(
      task.task,
      attempts.map((replies) => replies.map((one) => (typeof one === 'string' && one !== 'hang' && one !== 'cut' ? { text: one } : one))),
    )
    return task
  }
  const start = (tasks: ReturnType<typeof taskFor>[], more: object = {}) =>
    server.client.createRollouts({
      // one attempt at a time, so that each attempt gets its own script
      body: { tasks, endpoint: { kind: 'url', baseUrl: stub.url, model: 'some' }, rolloutsPerTask: 2, concurrency: 1, ...more },
    })
  const ended = async ({ id }: Pick<RolloutSet, 'id'>): Promise<RolloutSet> => {
    for (let known = -1; ;) {
      const set = await server.client.getRollouts({ params: { id }, query: { waitMs: '10000', ended: String(known) } })
      if (set.state !== 'running') return set
      known = set.counts.ended
    }
  }
  const episodesOf = async ({ id }: RolloutSet): Promise<Episode[]> =>
    (await server.client.listEpisodes({ params: { id }, query: { limit: '100' } })).items

  it('runs each message as a command, rewards the result of the check, and compares the attempts', async () => {
    const task = taskFor([
      ['# think', 'cd /srv && ls nothing', 'touch done; sleep 3600 &', 'exit 3'],
      ['echo "no"', 'exit'],
    ])
    const published = new Set<string>()
    const unsubscribe = server.app.core.events.subscribe(({ type }) => published.add(type))
    const set = await ended(await start([task], { seed: 5 }))
    unsubscribe()
    expect([...published]).toEqual(expect.arrayContaining(['rollouts:status', 'rollouts:progress']))
    expect(set).toMatchObject({ state: 'done', detail: null, counts: { ended: 2, ok: 2, solved: 1, corrupted: 0, error: 0 } })
    const [good, bad] = await episodesOf(set)
    expect(good).toMatchObject({ status: 'ok', how: 'exited', success: true, turns: 4, codes: [0, 2, 0, 3], nonzeroExitCodes: 2 })
    expect(good!.terms).toMatchObject({ success: 1, turns: 4, exit_error_rate: 0.5, exit_penalty: 0.05 })
    expect(good!.reward).toBeCloseTo(1 - 0.4 * (1 - 1 / (1 + Math.exp(-11 / 2.5))) - 0.05, 10)
    expect(bad).toMatchObject({ success: false, turns: 2, codes: [0, 0], check: { exitCode: 1 } })
    expect(bad!.reward).toBeCloseTo(-0.02, 10)
    expect(good!.advantage! + bad!.advantage!).toBeCloseTo(0, 9)
    const { items } = await server.client.listRolloutGroups({ params: { id: set.id }, query: {} })
    expect(items).toMatchObject([{ isComplete: true, zeroVariance: false, attempts: [{ attempt: 1 }, { attempt: 2 }] }])
    const details = await server.client.getEpisode({ params: { id: set.id, episodeId: good!.id }, query: {} })
    expect(details.turns.map(({ command, isReasoning, exitCode }) => [command, isReasoning, exitCode])).toEqual([
      ['# think', true, 0],
      ['cd /srv && ls nothing', false, 2],
      ['touch done; sleep 3600 &', false, 0],
      ['exit 3', false, 3],
    ])
    expect(details.turns[1]!.output).toContain('No such file')
    const evaluated = await server.client.evaluateTrace({ body: { episode: { set: set.id, id: good!.id } } })
    expect(evaluated).toMatchObject({
      goal_accuracy: 1,
      step_economy: 1,
      safety: 1,
      facts: { steps: 3, failed: 2, goal: { by: 'verification' } },
    })
    expect(evaluated.tool_call_accuracy).toBeCloseTo(1 / 3)
    const seeds = stub.received.filter(({ raw }) => raw.includes(task.task)).map(({ body }) => (body as { seed?: number }).seed)
    expect(new Set(seeds)).toEqual(new Set([5, 6]))
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
    expect(server.contractViolations).toEqual([])
  })

  it('gives no reward when the endpoint, the set-up or the check failed, or a message was cut off', async () => {
    const lost = taskFor([
      ['touch /srv/done', { status: 400, json: { error: { message: 'gone' } } }],
      ['touch /srv/done', 'exit'],
    ])
    const unset = taskFor([[]], { setup: ['true', 'false'] })
    const endless = taskFor([['exit']], { check: 'sleep 60' })
    const cut = taskFor([[{ text: 'rm -rf /srv', stop: 'length' }]])
    const set = await ended(await start([lost, unset, endless, cut], { limits: { checkSec: 1 } }))
    expect(set.counts).toEqual({ ended: 8, ok: 1, solved: 1, corrupted: 2, error: 5 })
    const episodes = await episodesOf(set)
    expect(episodes.map(({ error, status }) => error?.boundary ?? status)).toEqual(['endpoint', 'ok', 'setup', 'setup', 'check', 'check', 'corrupted', 'corrupted']) // prettier-ignore
    for (const one of episodes.filter(({ status }) => status !== 'ok'))
      expect([one.reward, one.advantage, one.terms]).toEqual([null, null, null])
    expect(episodes[0]!.error!.message).toContain('gone')
    expect(episodes[2]!.error!.message).toContain('Set-up command 2')
    const stats = await server.client.getRolloutStats({ params: { id: set.id } })
    expect(stats).toMatchObject({
      success: { solved: 1, n: 1 },
      corrupted: 2,
      errors: expect.arrayContaining([{ boundary: 'endpoint', episodes: 1 }]) as unknown,
      groups: { total: 4, complete: 4, scored: 1, zeroVariance: 1 },
    })

    // resuming repeats only the episodes that ended with an error
    scripts.set(lost.task, [[{ text: 'touch /srv/done' }, { text: 'exit' }]])
    await server.client.resumeRollouts({ params: { id: set.id } })
    const again = await ended(set)
    expect(again.counts).toEqual({ ended: 8, ok: 2, solved: 2, corrupted: 2, error: 4 })
    expect((await episodesOf(again))[1]!.startedAt).toBe(episodes[1]!.startedAt)
  })

  it('accepts calls of the tool terminal if requested, and replies with the reason if a message is not a valid call', async () => {
    const call = (command: string) => JSON.stringify({ name: 'terminal', arguments: { command } })
    const task = taskFor([[call('touch /srv/done'), '{"name": "browser", "arguments": {"command": "ls"}}', '{"final_answer": "made"}']])
    const set = await ended(await start([task], { form: 'terminal', rolloutsPerTask: 1 }))
    const [episode] = await episodesOf(set)
    expect(episode).toMatchObject({ status: 'ok', how: 'exited', success: true, codes: [0, 1, 0] })
    const details = await server.client.getEpisode({ params: { id: set.id, episodeId: episode!.id }, query: {} })
    expect(details.turns[0]!.command).toBe('touch /srv/done')
    expect(details.turns[1]!.output).toContain('There is no tool "browser"')
  })

  it('is scored with another policy without repeating its episodes', async () => {
    const set = await ended(await start([taskFor([['touch /srv/done', 'exit'], ['exit']])]))
    const asked = stub.received.length
    const policy = { name: 'plain', lengthShare: 0, exitPenalty: 0, failPenalty: 0 }
    const again = await server.client.rescoreRollouts({ params: { id: set.id }, body: { policy } })
    expect(again.settings.policy).toMatchObject({ ...policy, lengthMiddle: 15 })
    const episodes = await episodesOf(set)
    expect(episodes.map(({ reward }) => reward)).toEqual([1, 0])
    expect(episodes[0]!.advantage).toBeCloseTo(0.999998, 5)
    expect(stub.received).toHaveLength(asked)
  })

  it('can be cancelled during a request, and keeps ended episodes', async () => {
    const set = await start([taskFor([['exit'], ['hang']])])
    await expect.poll(async () => (await server.client.getRollouts({ params: { id: set.id }, query: {} })).running[0]?.attempt, { timeout: 30_000 }).toBe(2) // prettier-ignore
    const cancelled = await server.client.cancelRollouts({ params: { id: set.id } })
    expect(cancelled).toMatchObject({ state: 'cancelled', counts: { ended: 1 }, running: [] })
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
    await server.client.removeRollouts({ params: { id: set.id } })
    await expect(server.client.getRollouts({ params: { id: set.id }, query: {} })).rejects.toMatchObject({ code: 'rollouts_not_found' })
  })

  it('refuses a set that cannot be started before anything runs', async () => {
    const task = taskFor([[]])
    await expect(start([task, task])).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Two tasks have the id') as string,
    })
    const plan = await server.client.planRollouts({ body: { tasks: [task], endpoint: { kind: 'model', model: 'none' } } })
    expect(plan).toMatchObject({ episodes: 8, refusals: [{ message: 'There is no such model in the registry.' }] })
    const own = { endpoint: { kind: 'url', baseUrl: stub.url }, maxCostUsd: 1 }
    await expect(start([task], own)).rejects.toMatchObject({
      code: 'rollouts_refused',
      message: expect.stringContaining('price') as string,
    })
  })

  it('is exported with its rewards and log-probabilities; episodes without a reward are left out', async () => {
    const task = taskFor([['touch /srv/done', 'exit'], [{ text: 'rm', stop: 'length' }]])
    const set = await ended(await start([task], { logprobs: true }))
    const text = async (format: string, episode?: string) =>
      (
        await server.client.exportRollouts({
          params: { id: set.id },
          query: { format, ...(episode !== undefined && { episode }) } as never,
        })
      ).text()
    const [group] = (await text('art'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown[]>)
    expect(group).toMatchObject({
      trajectories: [{ reward: expect.any(Number) as number, messages_and_choices: [{ role: 'system' }, { role: 'user', content: task.task }, { message: { content: 'touch /srv/done' }, logprobs: { content: [{ token: 'touch /srv/done', logprob: -0.5 }] } }, { role: 'user', content: '(no output)' }, { message: { content: 'exit' } }] }],
      exceptions: [{ type: 'corrupted' }],
    }) // prettier-ignore
    expect(JSON.parse(await text('trl'))).toMatchObject({ logprobs: [[-0.5], [-0.5]] })
    expect(JSON.parse(await text('verifiers'))).toMatchObject({ task: 'shell', metrics: { success: 1 }, info: { check: task.check } })
    const [first] = await episodesOf(set)
    expect(JSON.parse(await text('atif', first!.id))).toMatchObject({ schema_version: 'ATIF-v1.7', extra: { reward: first!.reward } })
    expect((await text('cast', first!.id)).split('\n')[1]).toContain('$ touch /srv/done')
    expect(await text('harbor')).toContain(`jobs/${set.id}/`)
  })
})
