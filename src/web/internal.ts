/** `/-/…`: addresses that no document can take, and who may ask for them. A new one is a handler in `routes/` and a line here. */
import { mayReadDocument } from './access.ts'
import { notFound, problemPage } from './pages.tsx'
import { type Handler, isSignedIn } from './request-context.ts'
import { accountPage, changePassword, choose, endSession } from './routes/account.tsx'
import { act, actPage, stopActing } from './routes/act.tsx'
import { bulk } from './routes/bulk.tsx'
import { chooseAnswer, receivedPage } from './routes/calls-received.tsx'
import { caseEndPage, caseEnds, casePage, closeCase, openCase } from './routes/case.tsx'
import { cell } from './routes/cell.tsx'
import { pickOptions } from './routes/choices.ts'
import { mentions, writeComment } from './routes/comments.tsx'
import { confirmForm, confirmPage } from './routes/confirm.tsx'
import { connectionPage, disconnect } from './routes/connection.tsx'
import { changeDeputies } from './routes/deputies.tsx'
import { clockPage, demoSignIn, diagnosticsPage, documentPage, mailPage, moveClock } from './routes/dev.tsx'
import { entitiesPage, permissionsPage, statesPage, versionsPage } from './routes/document.tsx'
import { checkDocument, completeDocument, editorPage, saveDocument } from './routes/editor.tsx'
import { emergencyPage, openRecord } from './routes/emergency.tsx'
import { errorPage } from './routes/errors.tsx'
import { commentFilePage, filePage } from './routes/files.ts'
import { changeHeld, heldPage } from './routes/held.tsx'
import { importFile, importPage } from './routes/import.tsx'
import { jobPage, moveJob } from './routes/jobs.tsx'
import { changeKeys, keysPage } from './routes/keys.tsx'
import { letIn, letInPage } from './routes/let-in.tsx'
import { limitsPage, setLimit } from './routes/limits.tsx'
import { move } from './routes/move.tsx'
import { discardMyDraft, myDraftsPage } from './routes/my-drafts.tsx'
import { noticesPage, readNotice } from './routes/notices.tsx'
import { offlinePage, worker } from './routes/offline.tsx'
import { operationPage } from './routes/operation.tsx'
import {
  changePasskeys,
  newPasskeyOptions,
  passkeyOptions,
  passkeysPage,
  signInWithPasskey,
} from './routes/passkeys.tsx'
import { passwordPage, sendPasswordLink, setPasswordByLink } from './routes/password.tsx'
import { addPerson, changeAppointment, invitePerson, peoplePage } from './routes/people.tsx'
import { changeSignInOf, peopleSignInPage } from './routes/people-sign-in.tsx'
import { erasePersonPage, personDataFile, personDataJson, personDataPage } from './routes/person-data.tsx'
import { place } from './routes/place.tsx'
import { confirmThere } from './routes/presence.tsx'
import { printMany } from './routes/print.tsx'
import { readLogPage } from './routes/reads.tsx'
import { toRecord } from './routes/record.ts'
import { searchJson, searchPage } from './routes/search.tsx'
import { changeSecondFactor, secondFactorPage, signInWithCode } from './routes/second-factor.tsx'
import { changeShares, sharePage } from './routes/share.tsx'
import { shortcutsPage } from './routes/shortcuts.tsx'
import { followLink, linkPage, sendLink, sessionState, signIn, signInPage, signOut } from './routes/sign-in.tsx'
import { askToSignUp, finishSignUp, signUpLinkPage, signUpPage } from './routes/sign-up.tsx'
import { finishSignOn, startSignOn } from './routes/single-sign-on.tsx'
import { takeBack } from './routes/undo.tsx'
import { sendAgainPage, unsentPage } from './routes/unsent.tsx'
import { changeView } from './routes/view.ts'
import { whyPage } from './routes/why.tsx'
import { toSignIn } from './signed-out.ts'

interface Internal {
  readonly get?: Handler
  readonly post?: Handler
  readonly devOnly?: true
  /** For those who read the document inside the application. */
  readonly reads?: true
  /** What this person may not do, they find no page for. Visitors are asked to sign in. */
  readonly signedIn?: true
}

export const internal: Readonly<Record<string, Internal>> = {
  '/-/errors/*': { get: errorPage, post: errorPage },
  '/-/files/*': { get: filePage, post: filePage },
  '/-/sign-in': { get: signInPage, post: signIn },
  '/-/sign-in/code': { post: signInWithCode },
  '/-/sign-in/link': { post: sendLink },
  '/-/sign-in/single': { get: startSignOn },
  '/-/sign-in/single/back': { get: finishSignOn },
  '/-/sign-in/passkey': { post: signInWithPasskey },
  '/-/sign-in/passkey/options': { post: passkeyOptions },
  '/-/sign-up': { get: signUpPage, post: askToSignUp },
  '/-/sign-up/confirm': { get: signUpLinkPage, post: finishSignUp },
  '/-/link': { get: linkPage, post: followLink },
  '/-/case': { get: casePage, post: openCase },
  '/-/case/close': { post: closeCase },
  '/-/case/end': { get: caseEndPage, post: caseEnds, signedIn: true },
  '/-/confirm': { get: confirmPage, post: confirmForm },
  '/-/password': { get: passwordPage, post: setPasswordByLink },
  '/-/password/forgotten': { post: sendPasswordLink },
  '/-/sign-out': { post: signOut },
  '/-/session': { get: sessionState },
  '/-/worker': { get: worker },
  '/-/offline': { get: offlinePage },
  '/-/account': { get: context => accountPage(context), post: changePassword, signedIn: true },
  '/-/account/preferences': { post: choose, signedIn: true },
  '/-/account/deputies': { post: context => changeDeputies(context, accountPage), signedIn: true },
  '/-/account/sessions': { post: endSession, signedIn: true },
  '/-/account/present': { post: confirmThere, signedIn: true },
  '/-/account/second-factor': { get: secondFactorPage, post: changeSecondFactor, signedIn: true },
  '/-/account/passkeys': { get: context => passkeysPage(context), post: changePasskeys, signedIn: true },
  '/-/account/passkeys/options': { post: newPasskeyOptions, signedIn: true },
  '/-/account/connection': { get: connectionPage, post: disconnect, signedIn: true },
  '/-/oauth/consent': { get: letInPage, post: letIn, signedIn: true },
  '/-/account/keys': { get: keysPage, post: changeKeys, signedIn: true },
  '/-/act': { get: context => actPage(context), post: act, signedIn: true },
  '/-/act/stop': { post: stopActing, signedIn: true },
  '/-/people': { get: peoplePage, post: addPerson, signedIn: true },
  '/-/people/invite': { post: invitePerson, signedIn: true },
  '/-/people/sign-in': { get: peopleSignInPage, post: changeSignInOf, signedIn: true },
  '/-/people/role': { post: changeAppointment, signedIn: true },
  '/-/view': { post: changeView, signedIn: true },
  '/-/bulk': { post: bulk, signedIn: true },
  '/-/print': { post: printMany, signedIn: true },
  '/-/cell': { get: cell, post: cell, signedIn: true },
  '/-/undo': { post: takeBack, signedIn: true },
  '/-/move': { post: move, signedIn: true },
  '/-/place': { post: place, signedIn: true },
  '/-/comments': { post: writeComment, signedIn: true },
  '/-/comment-files/*': { get: commentFilePage, post: commentFilePage, signedIn: true },
  '/-/mentions': { get: mentions, signedIn: true },
  '/-/notices': { get: noticesPage, post: readNotice, signedIn: true },
  '/-/drafts': { get: myDraftsPage, post: discardMyDraft, signedIn: true },
  '/-/import': { get: importPage, post: importFile, signedIn: true },
  '/-/held': { get: heldPage, post: changeHeld, signedIn: true },
  '/-/job': { get: jobPage, post: moveJob, signedIn: true },
  '/-/limits': { get: limitsPage, post: setLimit, signedIn: true },
  '/-/emergency': { get: emergencyPage, post: openRecord, signedIn: true },
  '/-/share': { get: sharePage, post: changeShares, signedIn: true },
  '/-/reads': { get: readLogPage, signedIn: true },
  '/-/person-data': { get: personDataPage, post: erasePersonPage, signedIn: true },
  '/-/person-data/json': { get: personDataJson, signedIn: true },
  '/-/person-data/file': { get: personDataFile, signedIn: true },
  '/-/unsent': { get: unsentPage, post: sendAgainPage, signedIn: true },
  '/-/operation': { get: operationPage, signedIn: true },
  '/-/search': { get: searchPage, signedIn: true },
  '/-/shortcuts': { get: shortcutsPage, signedIn: true },
  '/-/search.json': { get: searchJson, signedIn: true },
  '/-/options': { get: pickOptions, signedIn: true },
  '/-/record': { get: toRecord, signedIn: true },
  '/-/why': { get: whyPage, signedIn: true },
  '/-/demo': { post: demoSignIn, devOnly: true },
  '/-/mailbox': { get: mailPage, devOnly: true },
  '/-/calls-received': { get: receivedPage, post: chooseAnswer, devOnly: true },
  '/-/document': { get: documentPage, reads: true },
  '/-/document/states': { get: statesPage, reads: true },
  '/-/document/entities': { get: entitiesPage, reads: true },
  '/-/document/permissions': { get: permissionsPage, reads: true },
  '/-/document/versions': { get: versionsPage, reads: true },
  '/-/diagnostics': { get: diagnosticsPage, devOnly: true },
  '/-/clock': { get: clockPage, post: moveClock, devOnly: true },
  '/-/dev/editor': { get: editorPage, post: saveDocument, devOnly: true },
  '/-/dev/check': { post: checkDocument, devOnly: true },
  '/-/dev/complete': { post: completeDocument, devOnly: true },
}

interface InternalRoute {
  readonly url: string
  readonly get: Handler
  readonly post: Handler
}

/** As routes. What is for `dev` alone is not there when it is served. */
export const internalRoutes = (mode: 'dev' | 'serve'): readonly InternalRoute[] =>
  Object.entries(internal).flatMap(([url, route]) =>
    route.devOnly && mode !== 'dev' ? [] : { url, get: guarded(url, route, 'get'), post: guarded(url, route, 'post') },
  )

const guarded =
  (url: string, route: Internal, method: 'get' | 'post'): Handler =>
  context => {
    const { web, path, site, request } = context
    // The router takes `/-/%61ccount` for `/-/account`, and what looks at the address does not.
    if (path !== url && !url.endsWith('*')) return notFound(context)
    if (route.signedIn && !isSignedIn(context)) return toSignIn(context)
    if (route.reads && !mayReadDocument(web.options.mode, site.app, request.actor))
      return isSignedIn(context) || site.app.documentFor.roles.length === 0 ? notFound(context) : toSignIn(context)
    return route[method]?.(context) ?? problemPage(context, { status: 405 })
  }
