import { PlugZap, Unplug } from 'lucide-react'
import { useState } from 'react'
import type { ModReport, Student } from '#contracts/entities/router.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useModelNames } from '#renderer/api/models.ts'
import { useChangeMod, useModPreview, useRouter } from '#renderer/api/router.ts'
import { ModFiles } from '#renderer/app/mod-files.tsx'
import { useChange } from '#renderer/app/use-setting.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fact, Facts } from '#renderer/ui/facts.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { SelectRow } from '#renderer/ui/form-rows.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { SavedText } from '#renderer/ui/saved-text.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { RouterServing } from './router-serving.tsx'
import { RouterWork } from './router-work.tsx'
import { ClientChangeBlock } from '#renderer/app/client-change.tsx'
import { ProxySection } from './router-proxy.tsx'

/** Which model of the user's own works as an agent in Claude Code, and the mod with which it does. */
export function RouterSection() {
  return (
    <>
      <p className="max-w-[72ch] text-sm text-second">
        Your own model can work in Claude Code as the agent <span className="font-mono text-xs">gym</span>: Claude or you give it a task.
        Claude is never asked in its place. What it did is shown in <TextLink href="/router">Router</TextLink>.
      </p>
      <Fetched query={useRouter()} what="router" bars={['h-40 w-full', 'h-60 w-full']}>
        {({ student, mod }) => (
          <>
            <Section title="Model" actions={<StudentBadge student={student} />}>
              <Model student={student} />
            </Section>
            <RouterServing />
            <RouterWork />
            <Section title="Mod for Claude Code" actions={<ModBadge mod={mod} />}>
              <Mod mod={mod} />
            </Section>
          </>
        )}
      </Fetched>
      <ProxySection />
    </>
  )
}

function StudentBadge({ student }: { student: Student | null }) {
  if (!student) return <Badge tone="neutral">none chosen</Badge>
  if (!student.isUsable) return <Badge tone="warn">not used</Badge>
  return student.certificate ? <Badge tone="ok">proven</Badge> : <Badge tone="warn">used without proof</Badge>
}

function Model({ student }: { student: Student | null }) {
  const { settings, offline, change } = useChange()
  const names = useModelNames()
  const { studentModel, studentAddress, studentContext, override } = settings.router
  const isHere = studentAddress === ''
  return (
    <div>
      {isHere ? (
        <SelectRow
          label="Model"
          hint="It is served on this machine."
          value={studentModel}
          disabled={offline !== null}
          options={[
            { value: '', label: 'None: no gym agent' },
            ...(studentModel === '' || names.data?.has(studentModel) ? [] : [{ value: studentModel, label: studentModel }]),
            ...[...(names.data ?? [])].map(([value, label]) => ({ value, label })),
          ]}
          onChange={(next) => change('Model', { router: { studentModel: next } })}
        />
      ) : (
        <SavedText
          label="Model"
          hint="The name of the model at this address."
          value={studentModel}
          reason={offline}
          recommended=""
          onSave={(next) => change('Model', { router: { studentModel: next } })}
        />
      )}
      <SavedText
        label="Address"
        hint="Of a server with an OpenAI-compatible API, such as Ollama. Empty: a model of yours, served by Bash Gym."
        value={studentAddress}
        placeholder="http://127.0.0.1:11434/v1"
        reason={offline}
        recommended=""
        onSave={(next) => change('Address', { router: { studentAddress: next, studentModel: '' } })}
      />
      {isHere ? null : (
        <SavedText
          label="Context"
          hint="Tokens that the model reads and writes together. Empty: not known; the server itself refuses what is too long."
          value={studentContext === 0 ? '' : String(studentContext)}
          reason={offline}
          recommended=""
          narrow
          read={(text) => (/^\d{0,7}$/.test(text) ? null : 'A whole number of tokens.')}
          onSave={(next) => change('Context', { router: { studentContext: Number(next) } })}
        />
      )}
      {student ? (
        <>
          <div className="py-3">
            <Facts>
              <Fact name="Use">{student.reason}</Fact>
              {student.unprovenClient === null ? null : (
                <Fact name="Router">
                  Not proven for Claude Code {student.unprovenClient}: the router gives it nothing until an exam is taken with this version.
                </Fact>
              )}
              <Fact name="Name in Claude Code" mono>
                {student.name}
              </Fact>
              <Fact name="Gets the conversation">{student.receiver}</Fact>
            </Facts>
          </div>
          {student.certificate === null ? (
            <SavedText
              label="Use it without proof"
              hint={
                <>
                  To use it all the same, type <span className="font-mono text-xs">{student.override}</span>
                </>
              }
              value={override}
              reason={offline}
              recommended=""
              onSave={(next) => change('Use without proof', { router: { override: next } })}
            />
          ) : null}
        </>
      ) : null}
    </div>
  )
}

function ModBadge({ mod }: { mod: ModReport }) {
  if (!mod.installed) return <Badge tone="neutral">not installed</Badge>
  if (mod.loads === null) return <Badge tone="warn">installed, not verified</Badge>
  return mod.loads ? <Badge tone="ok">installed</Badge> : <Badge tone="warn">does not load</Badge>
}

function Mod({ mod }: { mod: ModReport }) {
  const [isRemoving, setRemoving] = useState(false)
  const warnings = [
    ...mod.problems.map(({ message }) => message),
    ...mod.overridableBy.map((name) => `The mod ${name} decides about tools too, and can allow what ours asks or denies.`),
  ]
  return (
    <div className="flex flex-col gap-4">
      {warnings.length > 0 ? (
        <div role="alert" className="rounded border border-warn p-3 text-sm">
          <ul className="flex flex-col gap-1">
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      ) : null}
      <Facts>
        <Fact name="Client">{mod.clientVersion ? `Claude Code ${mod.clientVersion}` : 'version unknown'}</Fact>
        <Fact name="Folder" mono>
          {mod.folder}
        </Fact>
      </Facts>
      {mod.installed && (mod.isFirst || mod.overridableBy.length > 0) ? (
        <ClientChangeBlock
          which="first"
          label="A setting of Claude Code can put our mod before all others, so that none of them allows what it denies."
          action="Put ours first"
        />
      ) : null}
      {!mod.installed || mod.problems.some(({ kind }) => kind === 'mod_differs') ? <ModChange action="install" /> : null}
      {mod.installed && isRemoving ? <ModChange action="uninstall" /> : null}
      {mod.installed && !isRemoving ? (
        <div>
          <Button icon={Unplug} onClick={() => setRemoving(true)}>
            Remove mod …
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** The files that a click writes or deletes, whole. */
function ModChange({ action }: { action: 'install' | 'uninstall' }) {
  const change = useChangeMod(action)
  const offline = useOfflineReason()
  const isInstall = action === 'install'
  const apply = async () => {
    if (await change.mutateAsync().catch(() => null))
      toast.done(isInstall ? 'Mod installed: new sessions have the gym agent' : 'Mod removed')
  }
  return (
    <Fetched query={useModPreview(action)} what="change" bars={['h-60 w-full']}>
      {({ files }) => (
        <div className="flex flex-col gap-2">
          <p className="text-sm">
            {isInstall
              ? 'This writes these files, and changes no setting of Claude Code:'
              : files.some(({ after }) => after !== null)
                ? 'This deletes these files, and takes our mod out of the settings of Claude Code:'
                : 'This deletes these files:'}
          </p>
          <ModFiles files={files} />
          <div>
            <Button
              look={isInstall ? 'primary' : 'danger'}
              icon={isInstall ? PlugZap : Unplug}
              busy={change.isPending}
              reason={offline}
              onClick={() => void apply()}
            >
              {isInstall ? 'Install mod' : 'Remove mod'}
            </Button>
          </div>
        </div>
      )}
    </Fetched>
  )
}
