import type { SandboxBackend } from '#contracts/entities/sandbox.ts'

/** The engine of a sandbox and the image it starts from. */
export interface Place {
  backend: SandboxBackend
  image: string
}

/** The programs and folders of this machine, without an image. */
export const HOST_PLACE: Place = { backend: 'bubblewrap', image: 'host' }

/** What runs an image if no engine is named. */
export const IMAGE_ENGINE: SandboxBackend = 'docker'

/** The path of a copied folder inside: the same as outside if possible, because Python environments contain their path. */
export const folderInside = (folder: string): string =>
  /^\/(?:usr|bin|sbin|lib\w*|etc|proc|dev|sys|boot|tmp|var|run|logs)(?:\/|$)/.test(folder) ? '/workspace' : folder

/** A missing engine is derived from the image. */
export const placeOf = ({
  backend,
  image = HOST_PLACE.image,
}: {
  backend?: SandboxBackend | undefined
  image?: string | undefined
}): Place => ({
  backend: backend ?? (image === HOST_PLACE.image ? HOST_PLACE.backend : IMAGE_ENGINE),
  image,
})
