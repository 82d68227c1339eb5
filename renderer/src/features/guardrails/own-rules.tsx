import { Pencil, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { GuardRule } from '#contracts/entities/guardrail.ts'
import { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { useChange } from '#renderer/app/use-setting.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { LinesRow, SelectRow, TextRow } from '#renderer/ui/form-rows.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Table } from '#renderer/ui/table.tsx'

/** A rule as typed: one test per line. */
type Draft = Record<'name' | 'pattern' | 'reason' | 'matches' | 'mustNotMatch', string> & Pick<OwnGuardRule, 'on' | 'verdict'>
const NEW: Draft = { name: '', on: 'command', pattern: '', verdict: 'warn', reason: '', matches: '', mustNotMatch: '' }

const draftOf = (rule: OwnGuardRule): Draft => ({ ...rule, matches: rule.matches.join('\n'), mustNotMatch: rule.mustNotMatch.join('\n') })
const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
const ruleOf = (draft: Draft) => ({ ...draft, matches: linesOf(draft.matches), mustNotMatch: linesOf(draft.mustNotMatch) })

/** Rules of the user, with tests that the engine runs. */
export function OwnRules({ rules }: { rules: readonly GuardRule[] }) {
  const { settings, offline, change } = useChange()
  const saved = settings.guardrails.rules
  const [open, setOpen] = useState<{ draft: Draft; oldName: string | null } | null>(null)
  const set = (next: OwnGuardRule[]) => change('Own rules', { guardrails: { rules: next } })
  const failingOf = (name: string) => rules.find(({ id }) => id === `own-${name}`)?.failing
  return (
    <Section
      title="Own rules"
      note="A rule counts only while all of its tests pass"
      actions={
        open ? null : (
          <Button icon={Plus} reason={offline} onClick={() => setOpen({ draft: NEW, oldName: null })}>
            New rule
          </Button>
        )
      }
    >
      {saved.length > 0 ? (
        <Table
          caption="Own rules"
          rows={saved}
          keyOf={({ name }) => name}
          columns={[
            { id: 'name', label: 'Name', className: 'whitespace-nowrap', cell: ({ name }) => name },
            {
              id: 'pattern',
              label: 'Pattern',
              className: 'w-full',
              cell: ({ name, pattern }) => (
                <span className="flex flex-col gap-1">
                  <code className="font-mono text-xs break-all">{pattern}</code>
                  {failingOf(name)?.map((test) => (
                    <span key={test} className="text-xs text-bad">
                      {test}
                    </span>
                  ))}
                </span>
              ),
            },
            { id: 'verdict', label: 'Verdict', cell: ({ verdict }) => verdict },
            {
              id: 'counts',
              label: 'Counts',
              className: 'whitespace-nowrap',
              cell: ({ name }) => <Counts failing={failingOf(name)} />,
            },
            {
              id: 'acts',
              label: '',
              cell: (rule) => (
                <span className="flex justify-end">
                  <IconButton
                    size="small"
                    icon={Pencil}
                    label={`Edit ${rule.name}`}
                    onClick={() => setOpen({ draft: draftOf(rule), oldName: rule.name })}
                  />
                  <IconButton
                    size="small"
                    icon={X}
                    label={`Remove ${rule.name}`}
                    reason={offline}
                    onClick={() => set(saved.filter((other) => other !== rule))}
                  />
                </span>
              ),
            },
          ]}
        />
      ) : null}
      {open ? (
        <RuleForm
          draft={open.draft}
          onDraft={(draft) => setOpen({ ...open, draft })}
          isTaken={saved.some(({ name }) => name === open.draft.name && name !== open.oldName)}
          offline={offline}
          onCancel={() => setOpen(null)}
          onSave={(rule) => {
            set(open.oldName === null ? [...saved, rule] : saved.map((other) => (other.name === open.oldName ? rule : other)))
            setOpen(null)
          }}
        />
      ) : null}
    </Section>
  )
}

const Counts = ({ failing }: { failing: readonly string[] | undefined }) =>
  failing === undefined ? null : failing.length === 0 ? <Badge tone="ok">yes</Badge> : <Badge tone="bad">no, a test fails</Badge>

function RuleForm({
  draft,
  onDraft,
  isTaken,
  offline,
  onSave,
  onCancel,
}: {
  draft: Draft
  onDraft: (draft: Draft) => void
  isTaken: boolean
  offline: string | null
  onSave: (rule: OwnGuardRule) => void
  onCancel: () => void
}) {
  const read = OwnGuardRule.safeParse(ruleOf(draft))
  const errorOf = (name: keyof Draft) => (draft[name] === '' ? undefined : read.error?.issues.find(({ path }) => path[0] === name)?.message)
  const isEmpty = Object.values(draft).includes('')
  const refusal = isTaken
    ? 'Another rule has this name.'
    : read.success
      ? null
      : isEmpty
        ? 'Fill in every field, with at least one test of each kind.'
        : read.error.issues[0]!.message
  const set = (change: Partial<Draft>) => onDraft({ ...draft, ...change })
  return (
    <form
      aria-label="Rule"
      className="flex flex-col rounded border border-line px-4 py-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (read.success && refusal === null && offline === null) onSave(read.data)
      }}
    >
      <TextRow
        label="Name"
        hint="Small letters, digits and hyphens."
        value={draft.name}
        error={errorOf('name')}
        onChange={(name) => set({ name })}
      />
      <SelectRow
        label="Looks at"
        hint={
          draft.on === 'command'
            ? 'Each command that would run, its words separated by one space, also inside sh -c, sudo and functions.'
            : 'Tool results, and texts that are checked.'
        }
        value={draft.on}
        options={[
          { value: 'command', label: 'Commands' },
          { value: 'text', label: 'Texts' },
        ]}
        onChange={(on) => set({ on })}
      />
      <TextRow
        label="Pattern"
        hint="A regular expression. Slow ones are refused."
        mono
        value={draft.pattern}
        placeholder="^kubectl delete "
        error={errorOf('pattern')}
        onChange={(pattern) => set({ pattern })}
      />
      <SelectRow
        label="Verdict"
        value={draft.verdict}
        options={[
          { value: 'warn', label: 'Warn' },
          { value: 'block', label: 'Block' },
        ]}
        onChange={(verdict) => set({ verdict })}
      />
      <TextRow label="Reason" hint="What people and agents read." value={draft.reason} onChange={(reason) => set({ reason })} />
      <LinesRow label="Must find" hint="One command or text per line." value={draft.matches} onChange={(matches) => set({ matches })} />
      <LinesRow
        label="Must not find"
        hint="One command or text per line."
        value={draft.mustNotMatch}
        onChange={(mustNotMatch) => set({ mustNotMatch })}
      />
      <div className="flex gap-2 py-3">
        <Button look="primary" type="submit" reason={offline ?? refusal}>
          Save rule
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
