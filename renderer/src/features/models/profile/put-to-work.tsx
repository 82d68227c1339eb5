import { Bot } from 'lucide-react'
import { useState } from 'react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useChangeMod, useModPreview, useRouter } from '#renderer/api/router.ts'
import { usePatchSettings } from '#renderer/api/settings.ts'
import { ModFiles } from '#renderer/app/mod-files.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { toast } from '#renderer/ui/toast.tsx'

/** Makes a proven model the one of the gym agent. Where the mod is missing, its files are shown first, and written by the same click. */
export function PutToWork({ id, name }: { id: string; name: string }) {
  const offline = useOfflineReason()
  const router = useRouter()
  const settings = usePatchSettings()
  const install = useChangeMod('install')
  const [isAsking, setAsking] = useState(false)
  const mod = router.data?.mod
  const choose = async () => {
    const isChosen = await settings.mutateAsync({ router: { studentModel: id, studentAddress: '' } }).then(
      () => true,
      () => false,
    )
    if (isChosen) toast.done(`${name} is in use: new sessions of Claude Code have the agent gym`)
    setAsking(false)
  }
  return (
    <>
      <Button
        look="primary"
        icon={Bot}
        busy={settings.isPending || router.isPending}
        reason={offline}
        onClick={() => (mod?.installed === false ? setAsking(true) : void choose())}
      >
        Use it in Claude Code
      </Button>
      {isAsking ? (
        <FormDialog
          wide
          title={`Use ${name} in Claude Code`}
          description="Claude Code gets the agent gym by a mod. These files are written, and no setting of Claude Code is changed. Settings → Model in Claude Code takes them away again."
          action="Install the mod and use it"
          reason={offline}
          busy={install.isPending || settings.isPending}
          onSubmit={() => void install.mutateAsync().then(choose, () => undefined)}
          onClose={() => setAsking(false)}
        >
          <Files />
        </FormDialog>
      ) : null}
    </>
  )
}

const Files = () => (
  <Fetched query={useModPreview('install')} what="change" bars={['h-16 w-full']}>
    {({ files }) => (
      <div className="flex flex-col gap-2">
        <ModFiles files={files} />
      </div>
    )}
  </Fetched>
)
