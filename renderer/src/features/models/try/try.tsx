import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { useSystemInfo } from '#renderer/api/system.ts'
import { copyText } from '#renderer/ui/copy-text.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { Head } from '../profile/head.tsx'
import { ProfileSkeleton } from '../profile/profile.tsx'
import { useModel } from '#renderer/api/models.ts'
import { ALL_MODELS, artifactWord } from '../words.ts'
import { AnswerView } from './answer.tsx'
import { Composer } from './composer.tsx'
import { sidesThatCalled, type Turn } from './conversation.ts'
import { curlOf } from './curl.ts'
import type { TryDraft } from './draft.ts'
import { readSampling, Settings } from './settings.tsx'
import { SideHead } from './side.tsx'
import { samplePromptOf, readTools, SHELL, toolsOf } from './tools.ts'
import { changeChat, useChat } from './use-chat.ts'
import { questionFor, useConversation, type Question } from './use-conversation.ts'
import { useSampleRows } from './use-sample-rows.ts'
import { SIDE_WORDS, SIDES, useSides, type SideId } from './use-sides.ts'

/** A chat with a model and its base, side by side on this machine. */
export default function TryModel({ id }: { id: string }) {
  const model = useModel(id)
  if (model.error && !model.data) return <NotRead what="model" error={model.error} retry={() => void model.refetch()} all={ALL_MODELS} />
  if (!model.data) return <ProfileSkeleton />
  return <Bench model={model.data} />
}

const AUTO = 'auto'

function Bench({ model }: { model: Model }) {
  const sides = useSides(model)
  const conversation = useConversation(model.id)
  const { text, draft, isTooLong } = useChat(model.id)
  const setText = (next: string) => changeChat(model.id, () => ({ text: next }))
  const setDraft = (part: Partial<TryDraft>) => changeChat(model.id, (chat) => ({ draft: { ...chat.draft, ...part } }))
  const samples = useSampleRows(model.lineage.datasetId)
  const dataDir = useSystemInfo().data?.dataDir
  const [selectedRole, setRole] = useState<Turn['role']>('user')
  const [artifact, setArtifact] = useState(AUTO)
  const [sampleIndex, setSampleIndex] = useState(0)
  /** The message in the field is sent once the model is loaded. */
  const awaitsModel = useRef(false)

  const ready = SIDES.filter((side) => sides.loaded[side]?.state === 'ready')
  const { turns } = conversation
  const callingSides = sidesThatCalled(turns, ready)
  const role = callingSides.length > 0 ? selectedRole : 'user'
  const datasetTools = toolsOf(samples.rows[0]?.row)
  const defaultTools = datasetTools ?? SHELL
  const toolText = draft.tools ?? JSON.stringify(defaultTools, null, 2)
  const tools = readTools(toolText)
  const sampling = readSampling(draft)

  const questionTo = (targets: readonly SideId[]): Question | null =>
    'problem' in sampling || 'problem' in tools
      ? null
      : {
          ...sampling,
          role,
          text: text.trim(),
          system: draft.system,
          grammar: draft.grammar,
          tools: tools.tools,
          servings: Object.fromEntries(targets.flatMap((side) => (sides.loaded[side] ? [[side, sides.loaded[side].id]] : []))),
        }
  const { trained } = sides.loaded
  const isComing = trained?.state === 'starting' || sides.starting === 'trained'
  const isReady = trained?.state === 'ready'
  const reason =
    'problem' in tools
      ? 'The tools must be a JSON list of function schemas.'
      : 'problem' in sampling
        ? sampling.problem
        : ready.length === 0 && isComing
          ? 'The model is being loaded.'
          : conversation.isAnswering
            ? 'An answer is still being generated.'
            : text.trim() === ''
              ? 'Write a message first.'
              : null
  const send = () => {
    if (reason === null && ready.length === 0) {
      awaitsModel.current = true
      sides.load('trained', artifact === AUTO ? null : artifact)
      return
    }
    const question = reason === null ? questionTo(role === 'tool' ? callingSides : ready) : null
    if (!question) return
    conversation.send(question)
    setText('')
    setRole('user')
  }
  const hasFailed = trained?.state === 'failed' || sides.error !== null
  const sendAwaited = useEffectEvent(() => {
    const question = questionTo(['trained'])
    if (!question || question.text === '') return // it was deleted meanwhile
    conversation.send(question)
    setText('')
  })
  useEffect(() => {
    if (!awaitsModel.current || isComing || !(isReady || hasFailed)) return
    awaitsModel.current = false
    if (isReady) sendAwaited()
  }, [isComing, isReady, hasFailed])
  useKeys({ submit: send, back: () => (conversation.isAnswering ? conversation.stop() : false) })

  const curls = ready.flatMap((side) => {
    const serving = sides.loaded[side]
    const question = questionTo([side])
    if (!serving || !question || question.text === '' || dataDir === undefined) return []
    const line = curlOf({ origin: location.origin, dataDir, serving: serving.id, request: questionFor(side, turns, question) })
    const copy = () => void copyText(line, { note: 'The command works while the model is loaded.' })
    return [{ label: `For the ${SIDE_WORDS[side].toLowerCase()}`, copy }]
  })
  const prompts = samples.rows.flatMap(({ row }) => samplePromptOf(row) ?? [])
  const insertSample = () => {
    const sample = prompts[sampleIndex % prompts.length]
    if (!sample) return
    setText(sample.prompt)
    setDraft({ system: sample.system })
    setSampleIndex(sampleIndex + 1)
  }
  const files = model.artifacts.filter(({ format, state }) => format === 'gguf' && state === 'present')
  return (
    // on a low screen, or at a large zoom, the whole page scrolls, so that the chat keeps its height
    <div className="flex min-h-0 flex-1 flex-col [@media(max-height:600px)]:overflow-y-auto">
      <Head model={model} tab="try" />
      <div className="grid min-h-0 flex-1 [@media(max-height:600px)]:min-h-[560px] grid-cols-[minmax(0,1fr)_300px] max-[1100px]:grid-cols-[minmax(0,1fr)_248px]">
        <div className="flex min-h-0 min-w-0 flex-col">
          <div className="grid grid-cols-2 divide-x divide-line border-b border-line">
            {SIDES.map((side) => (
              <SideHead
                key={side}
                title={SIDE_WORDS[side]}
                name={side === 'base' ? model.lineage.baseModel : model.name}
                serving={sides.loaded[side]}
                isStarting={sides.starting === side}
                onLoad={() => sides.load(side, side === 'trained' && artifact !== AUTO ? artifact : null)}
                onStop={() => {
                  const serving = sides.loaded[side]
                  if (serving) sides.stop(serving)
                }}
                {...(side === 'trained' && files.length > 0
                  ? {
                      choice: (
                        <Select
                          label="File to load"
                          className="w-full"
                          value={artifact}
                          options={[
                            { value: AUTO, label: 'Most precise export up to 8 bits' },
                            ...files.map((file) => ({ value: file.id, label: artifactWord(file) })),
                          ]}
                          onChange={setArtifact}
                        />
                      ),
                    }
                  : {})}
              />
            ))}
          </div>
          <Problems sides={sides} />
          <Turns turns={turns} isLoaded={ready.length > 0} />
          <Composer
            text={text}
            role={role}
            canAnswerCall={callingSides.length > 0}
            isAnswering={conversation.isAnswering}
            reason={reason}
            isEmpty={turns.length === 0}
            sample={
              prompts.length > 0
                ? { label: samples.isHeldOut ? 'Insert held-out prompt' : 'Insert training prompt', insert: insertSample }
                : null
            }
            curls={curls}
            onText={setText}
            onRole={setRole}
            onSend={send}
            onStop={() => conversation.stop()}
            onClear={() => conversation.clear()}
            note={
              isTooLong ? (
                <p role="status" className="text-xs text-warn">
                  This chat is too long for the browser to store: reloading the page loses it.
                </p>
              ) : null
            }
          />
        </div>
        <div className="flex min-h-0 flex-col border-l border-line">
          <Settings
            draft={draft}
            tools={toolText}
            toolsFrom={draft.tools !== null ? 'custom' : datasetTools ? 'from its data set' : 'shell only'}
            problem={'problem' in tools ? tools.problem : 'problem' in sampling ? sampling.problem : null}
            offers={[
              ...(datasetTools ? [{ label: 'From its data set', text: JSON.stringify(datasetTools, null, 2) }] : []),
              { label: 'Shell only', text: JSON.stringify(SHELL, null, 2) },
              { label: 'None', text: '' },
            ]}
            change={setDraft}
          />
        </div>
      </div>
    </div>
  )
}

/** Why a model could not be loaded, and other loaded models that use memory. */
function Problems({ sides }: { sides: ReturnType<typeof useSides> }) {
  if (!sides.error && sides.otherServings.length === 0) return null
  return (
    <div className="flex flex-col gap-2 border-b border-line p-3">
      {sides.error ? <ErrorState title="Couldn't load the model" error={sides.error} /> : null}
      {sides.otherServings.map((serving) => (
        <p key={serving.id} className="flex items-center gap-2 text-sm">
          <span className="min-w-0 flex-1 truncate text-second">
            {serving.label} is also loaded. Up to two models can be loaded at once.
          </span>
          <Button size="small" onClick={() => sides.stop(serving)}>
            Unload model
          </Button>
        </p>
      ))}
    </div>
  )
}

function Turns({ turns, isLoaded }: { turns: readonly Turn[]; isLoaded: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    // scrolls to new text, unless the user has scrolled up
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  })
  return (
    <div
      ref={box}
      role="log"
      aria-label="Chat"
      aria-live="off"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keys
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
      }}
      className="focus-inset min-h-0 flex-1 overflow-y-auto"
    >
      {turns.length === 0 ? (
        <EmptyState title={isLoaded ? 'Write a message' : 'Write a message'}>
          {isLoaded
            ? 'Your message goes to every loaded model, and the answers appear side by side. Requested tools are not run. The chat stays until you clear it or close this tab.'
            : 'Sending it loads the trained model. Each model stays in memory until you unload it. Without a GGUF, a loadable copy is made once, which takes longer.'}
        </EmptyState>
      ) : null}
      {turns.map((turn) => (
        <section key={turn.id} aria-label={`Message ${turn.id}`} className="border-b border-line">
          <p className="border-l-4 border-accent bg-panel px-3 py-2 text-base break-words whitespace-pre-wrap">
            {turn.role === 'tool' ? <span className="block text-xs text-second">Tool output</span> : null}
            <Visible text={turn.text} />
          </p>
          <div className="grid grid-cols-2 divide-x divide-line">
            {SIDES.map((side) => {
              const answer = turn.answers[side]
              return (
                <div key={side} className={cn('min-w-0 p-3', !answer && 'text-xs text-second')}>
                  {answer ? (
                    <AnswerView side={SIDE_WORDS[side]} answer={answer} />
                  ) : turn.role === 'tool' ? (
                    'This model requested no tool.'
                  ) : (
                    'This model was not loaded.'
                  )}
                </div>
              )
            })}
          </div>
        </section>
      ))}
    </div>
  )
}
