import { useSettings } from '#renderer/api/settings.ts'
import { useRouter } from '#renderer/api/router.ts'
import { ServingState } from '#renderer/app/serving-state.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'

/** How the model is served, and how it is asked; nothing is shown of one that is not in use. */
export function InUse({ id }: { id: string }) {
  const router = useSettings().data?.settings.router
  const { data } = useRouter()
  if (!router || router.studentModel !== id || router.studentAddress !== '') return null
  const usable = data?.student?.isUsable === true
  return (
    <Section title="In use in Claude Code" actions={<TextLink href="/settings/router">Settings</TextLink>}>
      <p className="max-w-[80ch] text-sm">
        {!data
          ? 'One moment.'
          : !usable
            ? `It is chosen, but not used. ${data.student?.reason ?? ''}`
            : !data.mod.installed
              ? 'It is chosen, but the mod is not installed, so Claude Code does not have the agent.'
              : 'New sessions have the agent gym. Ask Claude there: “Let the gym agent find where add() is defined.”'}
      </p>
      <ServingState id={id} idleMinutes={router.idleMinutes} />
    </Section>
  )
}
