/**
 * Opens the browser's file dialog. Resolves with the chosen file, or undefined if the dialog is cancelled. `accept` is that of
 * a file input: `.json,application/json`.
 */
export function chooseFile(accept: string): Promise<File | undefined> {
  return new Promise(resolve => {
    const input = Object.assign(document.createElement('input'), { type: 'file', accept })
    input.addEventListener('change', () => resolve(input.files?.[0]))
    input.addEventListener('cancel', () => resolve(undefined))
    input.click()
  })
}
