/** The Docker Engine that tests may use: the one of DOCKER_HOST, if it has their image (`node scripts/with-docker.mjs`). */
import { createDocker } from '#server/adapters/docker/index.ts'

export const BASE_IMAGE = 'bashgym-base:bookworm'

const host = process.env['DOCKER_HOST']
const { images } = await createDocker({ host, dataDir: 'tests' }).state()
export const testDocker = images.includes(BASE_IMAGE) && host !== undefined ? { host } : null
