import { z } from 'zod'

/** The format ATIF 1.8, which includes earlier versions. Unknown fields are errors. */

const Extra = z.record(z.string(), z.unknown())
const Count = z.number().int().nonnegative()
const MediaSource = z.strictObject({ media_type: z.string(), path: z.string(), duration_sec: z.number().nonnegative().optional() })
const Part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.enum(['image', 'audio']), source: MediaSource }),
])
const Content = z.union([z.string(), z.array(Part)])

const SubagentRef = z
  .strictObject({
    trajectory_id: z.string().optional(),
    trajectory_path: z.string().optional(),
    session_id: z.string().optional(),
    extra: Extra.optional(),
  })
  .refine((ref) => ref.trajectory_id !== undefined || ref.trajectory_path !== undefined, 'needs trajectory_id or trajectory_path')

const Result = z.strictObject({
  source_call_id: z.string().optional(),
  content: Content.optional(),
  subagent_trajectory_ref: z.array(SubagentRef).optional(),
  extra: Extra.optional(),
})

const Metrics = z.strictObject({
  prompt_tokens: Count.optional(),
  completion_tokens: Count.optional(),
  cached_tokens: Count.optional(),
  cost_usd: z.number().optional(),
  prompt_token_ids: z.array(z.number().int()).optional(),
  completion_token_ids: z.array(z.number().int()).optional(),
  logprobs: z.array(z.number()).optional(),
  extra: Extra.optional(),
})

const AGENT_FIELDS = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'] as const

export const AtifStep = z
  .strictObject({
    step_id: z.number().int().min(1),
    timestamp: z.iso.datetime({ offset: true, local: true }).optional(),
    source: z.enum(['system', 'user', 'agent']),
    message: Content,
    model_name: z.string().optional(),
    reasoning_effort: z.union([z.string(), z.number()]).optional(),
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(z.strictObject({ tool_call_id: z.string(), function_name: z.string(), arguments: Extra, extra: Extra.optional() }))
      .optional(),
    observation: z.strictObject({ results: z.array(Result) }).optional(),
    metrics: Metrics.optional(),
    llm_call_count: Count.optional(),
    is_copied_context: z.boolean().optional(),
    extra: Extra.optional(),
  })
  .check(({ value: step, issues }) => {
    const addIssue = (message: string, field: string) => issues.push({ code: 'custom', message, path: [field], input: step })
    for (const field of AGENT_FIELDS)
      if (step.source !== 'agent' && step[field] !== undefined) addIssue('is allowed in agent steps only', field)
    if (step.llm_call_count === 0 && (step.metrics ?? step.reasoning_content) !== undefined)
      addIssue('contradicts llm_call_count 0', 'metrics')
    const calls = new Set(step.tool_calls?.map((call) => call.tool_call_id))
    for (const { source_call_id: id } of step.tool_calls ? (step.observation?.results ?? []) : [])
      if (id !== undefined && !calls.has(id)) addIssue(`refers to the call ${id}, which this step does not have`, 'observation')
  })
export type AtifStep = z.infer<typeof AtifStep>

const Root = z.strictObject({
  schema_version: z.string().regex(/^ATIF-v1\.[0-8]$/, 'must be ATIF-v1.0 to ATIF-v1.8'),
  session_id: z.string().optional(),
  trajectory_id: z.string().optional(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    tool_definitions: z.array(Extra).optional(),
    extra: Extra.optional(),
  }),
  steps: z
    .array(AtifStep)
    .min(1)
    .check(({ value: steps, issues }) => {
      const index = steps.findIndex((step, at) => step.step_id !== at + 1)
      if (index >= 0) issues.push({ code: 'custom', message: `is not ${index + 1}`, path: [index, 'step_id'], input: steps })
    }),
  notes: z.string().optional(),
  final_metrics: z
    .strictObject({
      total_prompt_tokens: Count.optional(),
      total_completion_tokens: Count.optional(),
      total_cached_tokens: Count.optional(),
      total_cost_usd: z.number().optional(),
      total_steps: Count.optional(),
      extra: Extra.optional(),
    })
    .optional(),
  continued_trajectory_ref: z.string().optional(),
  extra: Extra.optional(),
})

export type AtifTrajectory = z.infer<typeof Root> & { subagent_trajectories?: AtifTrajectory[] | undefined }

export const AtifTrajectory: z.ZodType<AtifTrajectory> = Root.extend({
  get subagent_trajectories() {
    return z
      .array(AtifTrajectory)
      .check(({ value: all, issues }) => {
        const ids = all.map((one) => one.trajectory_id)
        const addIssue = (message: string) => issues.push({ code: 'custom', message, path: [], input: all })
        if (ids.includes(undefined)) addIssue('one has no trajectory_id')
        if (new Set(ids).size < ids.length) addIssue('two have the same trajectory_id')
      })
      .optional()
  },
})
