import { PathList } from '#renderer/app/path-list.tsx'
import { useChange } from '#renderer/app/use-setting.ts'
import { Section } from '#renderer/ui/page.tsx'

export function TrustedFoldersSection() {
  const { settings, offline, change } = useChange()
  return (
    <Section title="Outside your home folder" note="Projects there are used without a confirmation each time">
      <PathList
        id="trusted"
        label="Trusted folders"
        hint="Bash Gym asks outside the browser before it uses a folder that is hidden or not in your home folder. It does not ask again for what is in these folders, except for hidden files and folders there. Adding one needs such a confirmation, too."
        paths={settings.access.trustedFolders}
        placeholder="/mnt/disk/work"
        addLabel="Trust folder"
        removeLabel={(path) => `Trust ${path} no longer`}
        chooseTitle="Trust this folder"
        reason={offline}
        validate={(path) => (path.startsWith('/') ? null : 'Enter an absolute path.')}
        onSave={(next) => change('Trusted folders', { access: { trustedFolders: next } })}
      />
    </Section>
  )
}
