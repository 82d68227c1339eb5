import { Page } from '#renderer/ui/page.tsx'

export default function ExamplesPage() {
  return (
    <Page title="Examples" summary="Tasks cut out of sessions, as chats to learn from.">
      {null}
    </Page>
  )
}
