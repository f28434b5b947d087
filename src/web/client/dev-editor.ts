/** The editor of the document is loaded where its form is. */
const form = document.querySelector<HTMLFormElement>('[data-editor]')

if (form !== null) void import('./editor/start.ts').then(({ start }) => start(form))
