import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useState } from 'react'
import type { SignIn } from '#contracts/entities/sign-in.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { signInKeys, useSignIns } from '#renderer/api/sign-ins.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast.tsx'
import { browserName } from './browser-name.ts'

/** Signed-in browsers, with buttons to sign them out. */
export function SignInsSection() {
  const signIns = useSignIns()
  const offline = useOfflineReason()
  const queries = useQueryClient()
  const [isConfirming, setAsking] = useState(false)
  const revoke = useMutation({
    mutationFn: (id: string) => api.revokeSignIn({ params: { id } }),
    onSuccess: (list) => {
      queries.setQueryData(signInKeys.all, list)
      toast.done('Signed out')
    },
    meta: { title: 'The browser was not signed out' },
  })
  const signOutAll = useMutation({
    mutationFn: () => api.signOutEverywhere({ body: {} }),
    meta: { title: 'The browsers were not signed out' },
  })
  return (
    <Section
      title="Signed-in browsers"
      note="A sign-in expires after 14 days without use, and after 90 days at the latest"
      actions={
        <Button size="small" icon={LogOut} reason={offline} busy={signOutAll.isPending} onClick={() => setAsking(true)}>
          Sign out everywhere …
        </Button>
      }
    >
      <Fetched query={signIns} what="signed-in browsers" bars={['h-24 w-full']}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-second">No browser is signed in.</p>
          ) : (
            <Table
              caption="Signed-in browsers"
              rows={items}
              keyOf={({ id }) => id}
              columns={[
                { id: 'browser', label: 'Browser', cell: (signIn) => <Browser signIn={signIn} /> },
                { id: 'created', label: 'Signed in', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
                { id: 'used', label: 'Last used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
                {
                  id: 'end',
                  label: 'Action',
                  cell: (signIn) => (
                    <Button
                      size="small"
                      reason={offline}
                      busy={revoke.isPending && revoke.variables === signIn.id}
                      aria-label={`Sign out ${browserName(signIn.userAgent)}${signIn.isCurrent ? ', this browser' : ''}`}
                      onClick={() => revoke.mutate(signIn.id)}
                    >
                      Sign out
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Fetched>
      <Confirm
        open={isConfirming}
        onOpenChange={setAsking}
        title="Sign out everywhere?"
        action="Sign out everywhere"
        onConfirm={() => signOutAll.mutate()}
      >
        <p>
          Every browser is signed out, including this one, and the token file is renewed, so scripts have to read it again. To sign in
          again, run <code className="font-mono text-xs">bashgym open</code>.
        </p>
      </Confirm>
    </Section>
  )
}

const Browser = ({ signIn: { userAgent, isCurrent } }: { signIn: SignIn }) => (
  <span className="flex flex-wrap items-center gap-2">
    {browserName(userAgent)}
    {isCurrent ? <Badge tone="neutral">this browser</Badge> : null}
  </span>
)
