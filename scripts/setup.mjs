/**
 * Installs what the package scripts need: packages, the pinned Node, with --development the packages of tests and checks, and
 * with --browser, --broker, --nats, --clickhouse or --office Chromium, Mosquitto, NATS, ClickHouse or LibreOffice for the tests.
 * With --optional a program that can be neither found nor installed is no error, unless CI is set.
 * This script runs before any package is installed, on the machine's own Node, so it uses only the APIs of Node 20.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const log = text => process.stdout.write(`${text}\n`)
const readJson = path => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined)

class SetupError extends Error {}
/** A program that tests use could be neither found nor installed. */
class MissingProgram extends SetupError {
  constructor(name, howToInstall, output) {
    super(`${name} was not found and could not be installed.\n${howToInstall}.\n\n${output}`.trim())
    this.howToInstall = howToInstall
  }
}

/** Runs a program and captures its output. */
function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26, ...options })
  return {
    ok: result.status === 0,
    output: `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`.trim(),
  }
}

/** Runs npm on the Node that npm itself runs on, because this call may replace the pinned Node. */
function npm(...args) {
  const cli = process.env.npm_execpath
  return cli
    ? run(process.env.npm_node_execpath ?? process.execPath, [cli, ...args])
    : run('npm', args, { shell: process.platform === 'win32' })
}

/** Returns whether installed packages differ from package-lock.json, for example after a pull. */
function areOutdated(installed, withDevelopment) {
  const locked = readJson(join(root, 'package-lock.json')).packages
  return Object.entries(locked).some(
    ([path, { version, optional, dev }]) =>
      // Optional packages are those of other platforms.
      path !== '' &&
      (path in installed || !optional) &&
      (withDevelopment || !dev) &&
      installed[path]?.version !== version,
  )
}

/** Installs what starting needs, which takes half the time, and with --development what tests and checks need. */
function installPackages() {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages ?? {}
  // Installing without the packages for development would remove them.
  const hasDevelopment = Object.values(installed).some(({ dev }) => dev)
  const withDevelopment = hasDevelopment || process.argv.includes('--development')
  if (!areOutdated(installed, withDevelopment)) return
  log('Installing packages (up to a minute the first time) …')
  // `npm ci` rejects a lock file that lacks this platform's binaries; `npm install --no-save` installs the locked
  // versions, adds those binaries and does not change the lock file. NODE_ENV=production must not decide what is installed.
  const scope = withDevelopment ? '--include=dev' : '--omit=dev'
  const { ok, output } = npm('install', '--no-save', scope, '--no-audit', '--no-fund', '--loglevel=error')
  if (!ok) throw new SetupError(`npm install failed:\n${output}`)
}

/** Runs the install scripts if the pinned Node is missing: with `ignore-scripts`, npm does not download it. */
function repairNode() {
  const pinnedVersion = `v${readJson(join(root, 'package.json')).dependencies.node}`
  const pinned = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  const installedVersion = () => run(pinned, ['--version']).output
  if (installedVersion() === pinnedVersion) return
  log(`Fetching Node ${pinnedVersion} …`)
  const { output } = npm('rebuild', '--ignore-scripts=false', '--loglevel=error')
  if (installedVersion() !== pinnedVersion)
    throw new SetupError(`Node ${pinnedVersion} could not be installed:\n${output}`)
}

const browserNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const macBrowsers = ['Google Chrome', 'Chromium'].map(name => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** Returns whether a browser starts. An existing one may not: a stub that points to an app store, a missing library. */
const starts = path =>
  existsSync(path) && (process.platform === 'win32' || run(path, ['--version'], { timeout: 30_000 }).ok)

const pathFolders = () => (process.env.PATH ?? '').split(delimiter)

/** Returns the path of Debian's headless Chromium, in which the browser suite takes a third less time. */
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

const aptOptions = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
/** The output of updating the list of Debian's packages, empty if that succeeded; undefined until the first package. */
let updateOutput

function installDebianPackage(name) {
  if (updateOutput === undefined) {
    const update = run('apt-get', ['update'], aptOptions)
    updateOutput = update.ok ? '' : update.output
  }
  const install = run('apt-get', ['install', '-y', '--no-install-recommends', name], aptOptions)
  return `${updateOutput}\n${install.ok ? '' : install.output}`.trim()
}

async function findBrowser() {
  const configured = process.env.CHROMIUM_PATH
  if (configured) {
    if (starts(configured)) return configured
    throw new SetupError(`CHROMIUM_PATH is ${configured}, which does not start`)
  }
  const shell = headlessShell()
  if (shell) return shell
  // In CI the faster browser is installed; other machines use the browser that they have.
  const present = systemBrowser() ?? (await playwrightBrowser())
  if (present && (process.env.CI === undefined || !mayInstallPackages())) return present

  log('Installing Chromium for the tests …')
  const outputs = []
  if (mayInstallPackages()) {
    outputs.push(installDebianPackage('chromium-headless-shell'))
    const packaged = headlessShell() ?? present
    if (packaged) return packaged
  }
  outputs.push(run(process.execPath, [join(modules, 'playwright', 'cli.js'), 'install', 'chromium']).output)
  const downloaded = await playwrightBrowser()
  if (downloaded) return downloaded

  // Older releases of Debian have no package of the headless shell.
  if (mayInstallPackages()) {
    outputs.push(installDebianPackage('chromium'))
    const packaged = systemBrowser()
    if (packaged) return packaged
  }
  throw new MissingProgram('Chromium', 'Install Chromium or Chrome, or set CHROMIUM_PATH', outputs.join('\n\n'))
}

/** Runs an installation that starts no services: Debian's packages ask policy-rc.d, and 101 forbids starting. */
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

/** Returns the path of a service that tests start by themselves; installs it if possible. */
function findService({ name, version, program, variable, debianPackage, matches }) {
  const isIt = path => existsSync(path) && matches(path)
  const installed = () => {
    // Debian installs services in a folder that only root has in PATH.
    const folders = [...pathFolders(), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin']
    const file = process.platform === 'win32' ? `${program}.exe` : program
    return folders.map(folder => join(folder, file)).find(isIt)
  }
  const configured = process.env[variable]
  if (configured) {
    if (isIt(configured)) return configured
    throw new SetupError(`${variable} is ${configured}, which is not ${name} ${version}`)
  }
  const present = installed()
  if (present) return present

  let output = ''
  if (mayInstallPackages()) {
    log(`Installing ${name} for the tests …`)
    output = withoutServices(() => installDebianPackage(debianPackage))
    const packaged = installed()
    if (packaged) return packaged
  }
  throw new MissingProgram(name, `Install ${name} ${version}, or set ${variable}`, output)
}

const findMosquitto = () =>
  findService({
    name: 'Mosquitto',
    version: '2',
    program: 'mosquitto',
    variable: 'MOSQUITTO_PATH',
    debianPackage: 'mosquitto',
    // `-h` prints the version and exits with 1 or 3.
    matches: path => /^mosquitto version 2/m.test(run(path, ['-h']).output),
  })

const findNats = () =>
  findService({
    name: 'NATS',
    version: '2',
    program: 'nats-server',
    variable: 'NATS_SERVER_PATH',
    debianPackage: 'nats-server',
    matches: path => /^nats-server: v2/m.test(run(path, ['--version']).output),
  })

const findClickHouse = () =>
  findService({
    name: 'ClickHouse',
    version: '18.16 or newer',
    program: 'clickhouse-server',
    variable: 'CLICKHOUSE_SERVER_PATH',
    debianPackage: 'clickhouse-server',
    // Debian's build knows no option that prints its version.
    matches: existsSync,
  })

/** Returns whether a path is LibreOffice. `--version` exits at once without opening a window. */
const isOffice = path => existsSync(path) && /^LibreOffice/m.test(run(path, ['--version'], { timeout: 60_000 }).output)

function systemOffice() {
  const names = process.platform === 'win32' ? ['soffice.exe'] : ['soffice', 'libreoffice']
  const candidates = names.flatMap(name => pathFolders().map(folder => join(folder, name)))
  return [...candidates, '/Applications/LibreOffice.app/Contents/MacOS/soffice'].find(isOffice)
}

/** Returns the path of LibreOffice, with which tests read exported .xls files; installs it if possible. */
function findOffice() {
  const configured = process.env.OFFICE_PATH
  if (configured) {
    if (isOffice(configured)) return configured
    throw new SetupError(`OFFICE_PATH is ${configured}, which is not LibreOffice`)
  }
  const present = systemOffice()
  if (present) return present

  let output = ''
  if (mayInstallPackages()) {
    log('Installing LibreOffice for the tests (90 MB) …')
    output = installDebianPackage('libreoffice-calc-nogui')
    const packaged = systemOffice()
    if (packaged) return packaged
  }
  throw new MissingProgram('LibreOffice', 'Install LibreOffice Calc, or set OFFICE_PATH to soffice', output)
}

/** Stores a program's path, or how to install it, in the file that tests and benchmarks read. */
async function storeLocation(program, find) {
  const file = join(modules, '.cache', `${program}.json`)
  const write = location => writeFileSync(file, JSON.stringify(location))
  mkdirSync(join(modules, '.cache'), { recursive: true })
  try {
    write({ executablePath: await find() })
  } catch (error) {
    rmSync(file, { force: true })
    const optional = process.argv.includes('--optional') && process.env.CI === undefined
    if (!optional || !(error instanceof MissingProgram)) throw error
    write({ howToInstall: error.howToInstall })
    log(error.message)
  }
}

try {
  installPackages()
  repairNode()
  if (process.argv.includes('--browser')) await storeLocation('browser', findBrowser)
  if (process.argv.includes('--broker')) await storeLocation('mosquitto', findMosquitto)
  if (process.argv.includes('--nats')) await storeLocation('nats', findNats)
  if (process.argv.includes('--clickhouse')) await storeLocation('clickhouse', findClickHouse)
  if (process.argv.includes('--office')) await storeLocation('office', findOffice)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
}
