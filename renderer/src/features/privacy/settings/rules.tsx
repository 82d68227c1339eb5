import { Check, Pencil, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { CustomRule } from '#contracts/entities/privacy.ts'
import { PII_ORDER, piiWord } from '#renderer/app/words/privacy.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { Field, TextArea, TextInput } from '#renderer/ui/field.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { draftOf, NEW_RULE, readRule, type RuleDraft, type Trial } from './rule-draft.ts'
import type { PolicyPart } from './policy-part.ts'

const TYPE_OPTIONS = PII_ORDER.map((value) => ({ value, label: piiWord(value) }))

/** Custom rules: a pattern with test texts that must pass before it is saved. */
export function PrivacyRules({ policy, offline, set }: PolicyPart) {
  const rules = policy.customRules
  const [open, setOpen] = useState<{ draft: RuleDraft; oldName: string | null } | null>(null)
  const save = (rule: CustomRule) => {
    const oldName = open?.oldName ?? null
    set('Custom rules', {
      customRules: oldName === null ? [...rules, rule] : rules.map((other) => (other.name === oldName ? rule : other)),
    })
    setOpen(null)
  }
  return (
    <Section title="Custom rules" note="For data that only you know about: staff numbers, customer numbers, project names">
      {rules.length > 0 ? (
        <Table
          caption="Custom rules"
          rows={rules}
          keyOf={({ name }) => name}
          columns={[
            { id: 'name', label: 'Name', cell: ({ name }) => name },
            { id: 'pattern', label: 'Pattern', cell: ({ pattern }) => <span className="font-mono text-xs break-all">{pattern}</span> },
            { id: 'type', label: 'Counts as', cell: ({ type }) => piiWord(type) },
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
                    onClick={() => set('Custom rules', { customRules: rules.filter((other) => other !== rule) })}
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
          otherNames={rules.map(({ name }) => name).filter((name) => name !== open.oldName)}
          offline={offline}
          onSave={save}
          onCancel={() => setOpen(null)}
        />
      ) : (
        <div>
          <Button icon={Plus} reason={offline} onClick={() => setOpen({ draft: NEW_RULE, oldName: null })}>
            New rule
          </Button>
        </div>
      )}
    </Section>
  )
}

function RuleForm({
  draft,
  onDraft,
  otherNames,
  offline,
  onSave,
  onCancel,
}: {
  draft: RuleDraft
  onDraft: (draft: RuleDraft) => void
  otherNames: readonly string[]
  offline: string | null
  onSave: (rule: CustomRule) => void
  onCancel: () => void
}) {
  const reading = readRule(draft, otherNames)
  return (
    <form
      aria-label="Rule"
      className="flex flex-col gap-2 rounded border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (reading.rule && !offline) onSave(reading.rule)
      }}
    >
      <Field id="rule-name" label="Name" hint="Shown as the detector of its findings.">
        <TextInput
          id="rule-name"
          maxLength={80}
          value={draft.name}
          onChange={(name) => onDraft({ ...draft, name })}
          className="w-72 max-w-full"
        />
      </Field>
      <Field
        id="rule-pattern"
        label="Pattern"
        hint="A regular expression, such as EMP-\d{6}. Every match is a finding."
        error={reading.fault}
      >
        <TextInput
          id="rule-pattern"
          maxLength={500}
          aria-invalid={reading.fault !== null}
          spellCheck={false}
          value={draft.pattern}
          onChange={(pattern) => onDraft({ ...draft, pattern })}
          className="w-72 max-w-full font-mono"
        />
      </Field>
      <SelectRow
        label="Counts as"
        hint="Determines what replaces a match."
        value={draft.type}
        options={TYPE_OPTIONS}
        onChange={(type) => onDraft({ ...draft, type })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Texts
          label="Must match, one per line"
          value={draft.matches}
          trials={reading.matches}
          onChange={(matches) => onDraft({ ...draft, matches })}
        />
        <Texts
          label="Must not match, one per line"
          value={draft.mustNotMatch}
          trials={reading.mustNotMatch}
          onChange={(mustNotMatch) => onDraft({ ...draft, mustNotMatch })}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" reason={offline ?? reading.refusal}>
          Save rule
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Texts({
  label,
  value,
  trials,
  onChange,
}: {
  label: string
  value: string
  trials: readonly Trial[]
  onChange: (value: string) => void
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the field is inside */}
      <label className="flex flex-col gap-1 text-xs text-second">
        {label}
        <TextArea value={value} onChange={onChange} spellCheck={false} className="font-mono text-xs" />
      </label>
      <ul aria-label={`${label}: result`} aria-live="polite" className="min-h-5">
        {trials.map(({ text, match, isRight }) => (
          <li key={text} className={cn('flex items-start gap-1.5 text-xs', isRight ? 'text-second' : 'text-bad')}>
            {isRight ? <Check size={14} aria-hidden className="shrink-0 text-ok" /> : <X size={14} aria-hidden className="shrink-0" />}
            <span className="min-w-0 break-words">
              {match === null ? 'no match in ' : 'matches '}
              <span className="font-mono">{match ?? text}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
