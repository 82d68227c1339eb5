import fc from 'fast-check'
import type { AtifStep, AtifTrajectory } from './format.ts'

const words = fc
  .array(fc.constantFrom('read', 'the', 'parser', 'and', 'fix', 'it', 'naïve', '日本', '"quoted"', 'a\nb', '<tag>'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((all) => all.join(' '))

type Loose = Omit<AtifStep, 'step_id' | 'timestamp'>

const talk: fc.Arbitrary<Loose> = fc.oneof(
  words.map((message): Loose => ({ source: 'user', message })),
  words.map((message): Loose => ({ source: 'system', message, extra: { kind: 'notice', label: 'system' } })),
)

const metrics = fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000), fc.nat(1000)).map(([fresh, cached, written, completion]) => ({
  prompt_tokens: fresh + cached + written,
  completion_tokens: completion,
  cached_tokens: cached,
  ...(written > 0 && { extra: { cache_creation_input_tokens: written } }),
}))

const outcome = fc.constantFrom(
  undefined,
  { success: true, exit_code: 0 },
  { success: false, exit_code: 2, is_error: true },
  { rejected_by: 'user' },
)

const answer = (prefix: string): fc.Arbitrary<Loose> =>
  fc
    .record({
      message: fc.option(words, { nil: '' }),
      reasoning: fc.option(words, { nil: undefined }),
      metrics: fc.option(metrics, { nil: undefined }),
      calls: fc.array(
        fc.record({ name: fc.constantFrom('Bash', 'execute', 'Read'), input: words, output: fc.option(words, { nil: null }), outcome }),
        {
          maxLength: 3,
        },
      ),
    })
    .filter(({ message, reasoning, calls }) => message !== '' || reasoning !== undefined || calls.length > 0)
    .map(({ message, reasoning, metrics: stepMetrics, calls }): Loose => {
      const results = calls.flatMap(({ output, outcome: extra }, index) =>
        output === null ? [] : [{ source_call_id: `${prefix}${index}`, content: output, ...(extra && { extra }) }],
      )
      return {
        source: 'agent',
        message,
        model_name: 'some/model',
        ...(reasoning !== undefined && { reasoning_content: reasoning }),
        ...(stepMetrics && { metrics: stepMetrics }),
        ...(calls.length > 0 && {
          tool_calls: calls.map(({ name, input }, index) => ({
            tool_call_id: `${prefix}${index}`,
            function_name: name,
            arguments: { command: input },
          })),
        }),
        ...(results.length > 0 && { observation: { results } }),
      }
    })

const numbered = (steps: Loose[], from: number): AtifStep[] =>
  steps.map((step, index) => ({
    step_id: index + 1,
    timestamp: new Date(from + index * 1000).toISOString(),
    ...step,
    ...(step.tool_calls && {
      // ids are unique in the trajectory
      tool_calls: step.tool_calls.map((call) => ({ ...call, tool_call_id: `${call.tool_call_id}-${index}` })),
      ...(step.observation && {
        observation: {
          results: step.observation.results.map((result) => ({ ...result, source_call_id: `${result.source_call_id}-${index}` })),
        },
      }),
    }),
  }))

const START = Date.UTC(2026, 5, 1)

/** Trajectories in the exported form, some with a sub-agent. */
export const trajectories: fc.Arbitrary<AtifTrajectory> = fc
  .record({
    steps: fc.array(fc.oneof(talk, answer('call-')), { minLength: 1, maxLength: 8 }),
    inner: fc.option(fc.array(answer('inner-'), { minLength: 1, maxLength: 3 }), { nil: undefined }),
    task: words,
  })
  .map(({ steps, inner, task }) => {
    const agent = { name: 'someone', version: '1.0', model_name: 'some/model' }
    if (!inner) return { schema_version: 'ATIF-v1.7', agent, steps: numbered(steps, START) }
    const starting: Loose = {
      source: 'agent',
      message: '',
      model_name: 'some/model',
      tool_calls: [{ tool_call_id: 'start', function_name: 'Task', arguments: { prompt: task } }],
      observation: { results: [{ source_call_id: 'start', content: 'done', subagent_trajectory_ref: [{ trajectory_id: 'helper' }] }] },
    }
    const innerSteps = numbered([{ source: 'user', message: task }, ...inner], START + 100_000)
    return {
      schema_version: 'ATIF-v1.7',
      agent,
      steps: numbered([...steps, starting], START),
      subagent_trajectories: [
        { schema_version: 'ATIF-v1.7', trajectory_id: 'helper', agent: { ...agent, extra: { type: 'explorer' } }, steps: innerSteps },
      ],
    }
  })
