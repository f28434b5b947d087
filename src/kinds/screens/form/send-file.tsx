import type { Upload } from '../../../ui/file-control.tsx'

/** Sends a file to the address of its form, and tells how far it has come. `fetch` tells nothing of that. */
export const sendFile =
  (action: string, token: string): Upload =>
  (name, file, progress) =>
    new Promise(resolve => {
      const request = new XMLHttpRequest()
      // Who sends it is asked before the file is looked at, so the token stands in front.
      const body = new FormData()
      body.append('_csrf', token)
      body.append('_upload', name)
      body.append(name, file)
      request.upload.addEventListener('progress', ({ loaded, total }) => progress(total === 0 ? 0 : loaded / total))
      request.addEventListener('loadend', () => {
        const isJson = (request.getResponseHeader('content-type') ?? '').startsWith('application/json')
        // Whatever else comes back, the file goes with the form, and the server says there what is wrong.
        resolve(isJson ? JSON.parse(request.responseText) : { message: '' })
      })
      request.open('POST', action)
      request.setRequestHeader('accept', 'application/json')
      request.send(body)
    })
