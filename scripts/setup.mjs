/**
 * Brings a clone to where its scripts can run: packages, the pinned Node and, with --browser, --broker or --office, a
 * Chromium, a Mosquitto or a LibreOffice to test with. With --optional it goes on without a program that is neither there
 * nor can be installed, except where CI is set.
 * It runs before anything is installed, on the machine's own Node, so it uses nothing but Node 20.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const say = text => process.stdout.write(`${text}\n`)
const readJson = path => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined)

class SetupError extends Error {}
/** A program that tests use is neither there nor can be installed. */
class MissingProgram extends SetupError {
  constructor(name, howToGet, tried) {
    super(`No ${name} found and none could be installed.\n${howToGet}.\n\n${tried}`.trim())
    this.howToGet = howToGet
  }
}

/** Runs a program out of sight; its output matters only when it fails. */
function quietly(program, args, options = {}) {
  const done = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26, ...options })
  return {
    ok: done.status === 0,
    output: `${done.stdout ?? ''}${done.stderr ?? ''}${done.error?.message ?? ''}`.trim(),
  }
}

/** npm on the Node that it came with: the pinned one may be what it is about to replace. */
function npm(...args) {
  const cli = process.env.npm_execpath
  return cli
    ? quietly(process.env.npm_node_execpath ?? process.execPath, [cli, ...args])
    : quietly('npm', args, { shell: process.platform === 'win32' })
}

/** npm keeps its own record of what it installed; the lock may since have moved on, by a pull for example. */
function packagesMissing() {
  const wanted = readJson(join(root, 'package-lock.json')).packages
  const installed = readJson(join(modules, '.package-lock.json'))?.packages ?? {}
  return Object.entries(wanted).some(
    ([path, { version, optional }]) =>
      // Optional packages are those of other platforms.
      path !== '' && (path in installed || !optional) && installed[path]?.version !== version,
  )
}

function installPackages() {
  if (!packagesMissing()) return
  say('Installing packages (about a minute the first time) …')
  // `npm ci` refuses a lock that leaves out another platform's binaries; this takes the lock's versions, adds what
  // the platform needs and leaves the lock alone. An environment set for production must not omit the build's tools.
  const { ok, output } = npm('install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')
  if (!ok) throw new SetupError(`npm install failed:\n${output}`)
}

/** An npm that is told to run no install scripts leaves these packages without their programs. */
function mendNode() {
  const wanted = `v${readJson(join(root, 'package.json')).devDependencies.node}`
  const pinned = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const found = () => quietly(pinned, ['--version']).output
  if (found() === wanted) return
  say(`Fetching Node ${wanted} …`)
  const { output } = npm('rebuild', '--ignore-scripts=false', '--loglevel=error')
  if (found() !== wanted) throw new SetupError(`Node ${wanted} could not be installed:\n${output}`)
}

const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macBrowsers = ['Google Chrome', 'Chromium'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** A browser that is there can still fail to start: a stub that points to a store, a missing library. */
const starts = path =>
  existsSync(path) && (process.platform === 'win32' || quietly(path, ['--version'], { timeout: 30_000 }).ok)

const pathFolders = () => (process.env.PATH ?? '').split(delimiter)

/** Returns Debian's Chromium without windows, in which the browser suite takes a third less time. */
const headlessShell = () =>
  pathFolders()
    .map(folder => join(folder, 'chromium-headless-shell'))
    .find(starts)

function systemBrowser() {
  const candidates = browserNames.flatMap(name => pathFolders().map(folder => join(folder, name)))
  return [...candidates, ...macBrowsers].find(starts)
}

async function playwrightBrowser() {
  const { chromium } = await import('playwright')
  return [chromium.executablePath()].find(starts)
}

const mayInstallPackages = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function installDebianPackage(name) {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  const update = quietly('apt-get', ['update'], options)
  const install = quietly('apt-get', ['install', '-y', '--no-install-recommends', name], options)
  return `${update.ok ? '' : update.output}\n${install.ok ? '' : install.output}`.trim()
}

async function findBrowser() {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (starts(named)) return named
    throw new SetupError(`CHROMIUM_PATH names ${named}, which does not start`)
  }
  const shell = headlessShell()
  if (shell) return shell
  // A person's own machine keeps to the browser that is present; where CI is set, the faster one is installed.
  const present = systemBrowser() ?? (await playwrightBrowser())
  if (present && (process.env.CI === undefined || !mayInstallPackages())) return present

  say('Installing a Chromium to test in …')
  const tried = []
  if (mayInstallPackages()) {
    tried.push(installDebianPackage('chromium-headless-shell'))
    const packaged = headlessShell() ?? present
    if (packaged) return packaged
  }
  tried.push(quietly(process.execPath, [join(modules, 'playwright', 'cli.js'), 'install', 'chromium']).output)
  const own = await playwrightBrowser()
  if (own) return own
  throw new MissingProgram('Chromium', 'Install Chromium or Chrome, or set CHROMIUM_PATH to one', tried.join('\n\n'))
}

/** Debian's packages ask this script before they start what they install; 101 forbids it. */
function withoutServices(install) {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return install()
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return install()
  } finally {
    rmSync(policy)
  }
}

/** Debian has it where only root's PATH leads; `-h` says the version and ends with 1 or 3. */
function systemMosquitto() {
  const folders = [...pathFolders(), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin']
  const name = process.platform === 'win32' ? 'mosquitto.exe' : 'mosquitto'
  return folders.map(folder => join(folder, name)).find(isMosquitto)
}
const isMosquitto = path => existsSync(path) && /^mosquitto version 2/m.test(quietly(path, ['-h']).output)

function findMosquitto() {
  const named = process.env.MOSQUITTO_PATH
  if (named) {
    if (isMosquitto(named)) return named
    throw new SetupError(`MOSQUITTO_PATH names ${named}, which is no Mosquitto 2`)
  }
  const present = systemMosquitto()
  if (present) return present

  let tried = ''
  if (mayInstallPackages()) {
    say('Installing Mosquitto to test with …')
    tried = withoutServices(() => installDebianPackage('mosquitto'))
    const packaged = systemMosquitto()
    if (packaged) return packaged
  }
  throw new MissingProgram('Mosquitto', 'Install Mosquitto 2, or set MOSQUITTO_PATH to it', tried)
}

/** `--version` starts no office and ends at once. */
const isOffice = path =>
  existsSync(path) && /^LibreOffice/m.test(quietly(path, ['--version'], { timeout: 60_000 }).output)

function systemOffice() {
  const names = process.platform === 'win32' ? ['soffice.exe'] : ['soffice', 'libreoffice']
  const candidates = names.flatMap(name => pathFolders().map(folder => join(folder, name)))
  return [...candidates, '/Applications/LibreOffice.app/Contents/MacOS/soffice'].find(isOffice)
}

/** Reads .xls files as people do. */
function findOffice() {
  const named = process.env.OFFICE_PATH
  if (named) {
    if (isOffice(named)) return named
    throw new SetupError(`OFFICE_PATH names ${named}, which is no LibreOffice`)
  }
  const present = systemOffice()
  if (present) return present

  let tried = ''
  if (mayInstallPackages()) {
    say('Installing LibreOffice to test with (90 MB) …')
    tried = installDebianPackage('libreoffice-calc-nogui')
    const packaged = systemOffice()
    if (packaged) return packaged
  }
  throw new MissingProgram('LibreOffice', 'Install LibreOffice Calc, or set OFFICE_PATH to soffice', tried)
}

/** Leaves a program's path, or how to get it, where tests and benchmarks look for it. */
async function remember(program, find) {
  const file = join(modules, '.cache', `${program}.json`)
  const keep = found => writeFileSync(file, JSON.stringify(found))
  mkdirSync(join(modules, '.cache'), { recursive: true })
  try {
    keep({ executablePath: await find() })
  } catch (error) {
    rmSync(file, { force: true })
    const optional = process.argv.includes('--optional') && process.env.CI === undefined
    if (!optional || !(error instanceof MissingProgram)) throw error
    keep({ missing: error.howToGet })
    say(error.message)
  }
}

try {
  installPackages()
  mendNode()
  if (process.argv.includes('--browser')) await remember('browser', findBrowser)
  if (process.argv.includes('--broker')) await remember('mosquitto', findMosquitto)
  if (process.argv.includes('--office')) await remember('office', findOffice)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}
