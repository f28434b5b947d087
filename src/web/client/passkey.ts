/** Forms that need a passkey: the device is asked, and what it answers is sent with the form. Where it cannot be asked they are not shown. */
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'

async function use(form: HTMLFormElement): Promise<void> {
  const fault = form.querySelector<HTMLElement>('[role=alert]')!
  fault.textContent = ''
  const pairs = [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  try {
    const answer = await fetch(form.dataset.options!, { method: 'POST', body: new URLSearchParams(pairs) })
    // A page, and not what was asked for: it says why to whoever sends the form.
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return form.submit()
    const asked = await answer.json()
    if (!answer.ok) {
      fault.textContent = asked.text
      return
    }
    const made =
      form.dataset.passkey === 'new'
        ? await startRegistration({ optionsJSON: asked })
        : await startAuthentication({ optionsJSON: asked })
    const credential = form.elements.namedItem('credential') as HTMLInputElement
    credential.value = JSON.stringify(made)
    form.submit()
  } catch {
    fault.textContent = form.dataset.fault!
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]')) {
  if (!browserSupportsWebAuthn()) {
    form.hidden = true
    continue
  }
  form.addEventListener('submit', event => {
    event.preventDefault()
    void use(form)
  })
}
