import fs from 'node:fs'
import path from 'node:path'

/** Paths of the product's parts, which a checkout and a package have in different folders. */
export interface ProductPaths {
  node: string
  serverEntry: string
  cliEntry: string
  icon: string
  preload: string
}

export function productPaths(options: {
  appPath: string
  resourcesPath: string
  isPackaged: boolean
  platform: NodeJS.Platform
}): ProductPaths {
  const { appPath, resourcesPath, isPackaged, platform } = options
  const product = isPackaged ? path.join(resourcesPath, 'server') : appPath
  const name = platform === 'win32' ? 'node.exe' : 'node'
  const node = isPackaged ? path.join(resourcesPath, 'node', name) : path.join(appPath, 'node_modules', 'node', 'bin', name)
  if (!fs.existsSync(node))
    throw new Error(
      `Can't find Node for the server at ${node}. ${isPackaged ? 'Install Bash Gym again.' : 'Run `npm ci` in the checkout.'}`,
    )
  return {
    node,
    serverEntry: path.join(product, 'dist', 'server', 'main.js'),
    cliEntry: path.join(product, 'dist', 'server', 'bashgym.js'),
    icon: path.join(appPath, 'electron', 'assets', 'icon.png'),
    preload: path.join(appPath, 'dist', 'electron', 'preload.cjs'),
  }
}
