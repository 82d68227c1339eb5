import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, FlaskConical, FlaskConicalOff } from 'lucide-react'
import { useState } from 'react'
import type { CommandOverride, CommandVerdict } from '#contracts/entities/command-override.ts'
import type { Step } from '#contracts/entities/step.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { scoringKeys, useCommandOverrides } from '#renderer/api/scoring.ts'
import { useTrace } from '#renderer/api/traces.ts'
import { VERDICT_WORDS } from '#renderer/app/words/verdicts.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { describeError } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

interface Choice {
  project: string
  words: string
  verdict: CommandVerdict
}

const MARK_WORDS = { test: 'This is a test command', not_a_run: 'Not a test command' } as const

/** Marks a command as a test command, or not, in its project, and rescores the session. No command: nothing is read. */
export function useCommandMark(traceId: string, step: Step, command: string | null) {
  const client = useQueryClient()
  const offline = useOfflineReason()
  const allOverrides = useCommandOverrides()
  const [chosenVerdict, setAsked] = useState<CommandVerdict | null>(null)
  const query = {
    queryKey: scoringKeys.stepCommands(traceId, command ?? '', step.cwd),
    queryFn: () => api.getStepCommands({ params: { id: traceId }, body: { command: command ?? '', cwd: step.cwd } }),
  }
  const trace = useTrace(traceId, command !== null)
  // a check that was recognised by a keyword only: the user knows better, so it is asked where it is read
  const isGuessed = trace.data?.score?.evidence.some((check) => check.step === step.id && check.guessed) === true
  const commands = useQuery({ ...query, enabled: command !== null && (allOverrides.data?.items.length ?? 0) > 0 })
  const refresh = () =>
    Promise.all([scoringKeys.commandOverrides, scoringKeys.anyStepCommands].map((queryKey) => client.invalidateQueries({ queryKey })))
  const set = useMutation({
    mutationFn: (body: Choice) => api.setCommandOverride({ body: { ...body, traceId } }),
    onSuccess: refresh,
  })
  const undo = useMutation({
    mutationFn: (override: CommandOverride) => api.removeCommandOverride({ params: { id: override.id }, query: { traceId } }),
    onSuccess: refresh,
  })
  const [choices, setChoices] = useState<Choice[]>([])
  const markAs = async (verdict: CommandVerdict) => {
    setAsked(verdict)
    setChoices([])
    const stepCommands = await client.fetchQuery({ ...query, staleTime: Infinity })
    const newChoices = stepCommands.commands.map(({ words }) => ({ project: stepCommands.project, words, verdict }))
    if (newChoices.length === 1) set.mutate(newChoices[0]!)
    else setChoices(newChoices)
  }
  const overrides =
    (allOverrides.data?.items.length ?? 0) > 0 ? (commands.data?.commands ?? []).flatMap(({ override }) => override ?? []) : []
  const isBusy = set.isPending || undo.isPending
  const verdicts = (['test', 'not_a_run'] as const).filter(
    (verdict) => overrides.length !== 1 || (commands.data?.commands.length ?? 0) > 1 || overrides[0]!.verdict !== verdict,
  )
  const chooses = chosenVerdict !== null && choices.length > 1 && !set.isPending
  return {
    offline,
    isGuessed,
    overrides,
    verdicts,
    isBusy,
    choices: chooses ? choices : [],
    error: set.error ?? undo.error,
    markAs,
    undo: (override: CommandOverride) => undo.mutate(override),
    choose: (choice: Choice) => {
      setChoices([])
      set.mutate(choice)
    },
  }
}

type CommandMark = ReturnType<typeof useCommandMark>

/** What can be done with a command, on its card. */
export const CommandMenu = ({ mark: { verdicts, isBusy, offline, markAs } }: { mark: CommandMark }) => (
  <Menu align="end" trigger={<IconButton size="small" icon={Ellipsis} label="Command options" reason={offline} className="-mr-1 w-7!" />}>
    {verdicts.map((verdict) => (
      <MenuItem
        key={verdict}
        icon={verdict === 'test' ? FlaskConical : FlaskConicalOff}
        disabled={isBusy || offline !== null}
        onSelect={() => void markAs(verdict)}
      >
        {MARK_WORDS[verdict]}
      </MenuItem>
    ))}
  </Menu>
)

/** What the user said about a command, and the question where its kind is only guessed. */
export function CommandMarks({ mark }: { mark: CommandMark }) {
  const { offline, isGuessed, overrides, verdicts, isBusy, choices, error, markAs, undo, choose } = mark
  const asks = isGuessed && overrides.length === 0
  if (!asks && overrides.length === 0 && !isBusy && choices.length === 0 && !error) return null
  return (
    <div className="mt-2 flex flex-col gap-1 border-t border-line pt-1.5 text-xs">
      {overrides.map((override) => (
        <p key={override.id} className="flex flex-wrap items-center gap-x-2 text-second">
          <span>
            Marked by you: <Code words={override.words} /> is {VERDICT_WORDS[override.verdict]} in {override.project || 'every project'}.
          </span>
          <TextButton disabled={isBusy || offline !== null} onClick={() => undo(override)}>
            Undo
          </TextButton>
        </p>
      ))}
      <div className="flex flex-wrap items-center gap-x-3">
        {asks ? <span className="text-second">Recognised by its words only:</span> : null}
        {(asks ? verdicts : []).map((verdict) => (
          <TextButton key={verdict} title={offline ?? undefined} disabled={isBusy || offline !== null} onClick={() => void markAs(verdict)}>
            {MARK_WORDS[verdict]}
          </TextButton>
        ))}
        {isBusy ? <span role="status">Rescoring …</span> : null}
      </div>
      {choices.length > 0 ? (
        <div role="group" aria-label="Which command?" className="flex flex-wrap items-center gap-2">
          Which command?
          {choices.map((choice) => (
            <TextButton key={choice.words} disabled={offline !== null} onClick={() => choose(choice)}>
              <Code words={choice.words} />
            </TextButton>
          ))}
        </div>
      ) : null}
      {error ? (
        <p role="alert" className="text-bad">
          {describeError(error).message}
        </p>
      ) : null}
    </div>
  )
}

const Code = ({ words }: { words: string }) => (
  <code className="font-mono break-all">
    <Visible text={words} />
  </code>
)

function TextButton({
  children,
  ...rest
}: {
  children: React.ReactNode
  disabled: boolean
  onClick: () => void
  title?: string | undefined
}) {
  return (
    <button type="button" {...rest} className="focus-inset min-h-6 rounded-sm text-left text-accent underline disabled:text-second">
      {children}
    </button>
  )
}
