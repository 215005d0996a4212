import type { Answer } from '../route.ts'
import { assetPath } from './assets.ts'
import { html, POLICY, page } from './page.ts'

/** A validation message, shown beside its field. */
export interface FormNotice {
  readonly field: string
  readonly text: string
}

const noticeOf = (notice: FormNotice | undefined, field: string) =>
  notice?.field === field && html`<p class="error" id="${field}-error" role="alert">${notice.text}</p>`

const emailField = (email: string, notice?: FormNotice) => html`
<label for="email">Email</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="email" required maxlength="254"${notice?.field === 'email' && html` aria-invalid="true" aria-describedby="email-error"`}>
${noticeOf(notice, 'email')}`

export function askPage({ code, email, notice }: { code: string; email: string; notice?: FormNotice }): Answer {
  return page({
    title: 'Connect a device',
    body: html`<h1>Connect a device</h1>
<p>A program requests an API key in your name. Enter the code that it shows and your email address. You will get a mail with a link to approve or deny the request.</p>
<form class="card" method="post" action="/auth/device">
<label for="code">Code</label>
<input type="text" id="code" name="code" value="${code}" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="20"${notice?.field === 'code' && html` aria-invalid="true" aria-describedby="code-error"`}>
${noticeOf(notice, 'code')}
${emailField(email, notice)}
<button type="submit">Continue</button>
</form>`,
  })
}

export function interactionPage({
  uid,
  email,
  name,
  host,
  notice,
}: {
  uid: string
  email: string
  name: string
  host: string
  notice?: FormNotice
}): Answer {
  return page({
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
<p><strong>${name}</strong>, which will send you back to <strong>${host}</strong>, wants to read the weather in your name. Enter your email address. You will get a mail with a link; open it in this browser.</p>
<form class="card" method="post" action="/auth/interaction/${uid}">
${emailField(email, notice)}
<button type="submit">Continue</button>
</form>`,
  })
}

export function claimPage({ ticket, email, notice }: { ticket: string; email: string; notice?: FormNotice }): Answer {
  return page({
    title: 'Claim a trial key',
    head: html`<script src="${assetPath('claim.js')}" type="module"></script>`,
    policy: `${POLICY}; script-src 'self'`,
    body: html`<h1>Claim a trial key</h1>
<p>A claimed key becomes a free key in your name. Enter your email address. You will get a mail with a link to approve.</p>
<form class="card" method="post" action="/auth/claim">
<label for="ticket">Ticket</label>
<input type="text" id="ticket" name="ticket" value="${ticket}" autocomplete="off" spellcheck="false" required maxlength="64"${notice?.field === 'ticket' && html` aria-invalid="true" aria-describedby="ticket-error"`}>
${noticeOf(notice, 'ticket')}
${emailField(email, notice)}
<button type="submit">Continue</button>
</form>`,
  })
}

/** @param sameBrowser true if the link works in this browser only */
export function sentPage(email: string, sameBrowser = false): Answer {
  return page({
    title: 'Check your mail',
    body: html`<h1>Check your mail</h1>
<p role="status">A mail with a link was sent to <strong>${email}</strong>. ${sameBrowser ? 'Open the link in this browser within an hour to sign in.' : 'Open the link to approve or deny. You may close this page.'}</p>`,
  })
}

export function confirmPage(request: {
  secret: string
  email: string
  code?: string
  client?: { name: string; host: string }
  prefix?: string
  session?: true
}): Answer {
  return page({
    title: request.session ? 'Sign in' : 'Approve or deny',
    // Approval redirects to the client, which form-action would block.
    ...(request.client && {
      policy: "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
    }),
    body: html`<h1>${request.session ? 'Sign in' : 'Approve or deny'}</h1>
${
  request.session
    ? html`<p>This browser will be signed in as <strong>${request.email}</strong> for a day. It can then see, create and revoke the keys of that account.</p>
<p>Continue only if you requested this yourself.</p>`
    : request.code
      ? html`<p>A device requests an API key for <strong>${request.email}</strong>. It shows this code:</p>
<p class="device-code">${request.code}</p>
<p>Approve only if this is the code on your own device and you started this yourself.</p>`
      : request.prefix
        ? html`<p>The trial key <strong>${request.prefix}</strong> will become a free key of <strong>${request.email}</strong>.</p>`
        : html`<p><strong>${request.client?.name}</strong>, which will send you back to <strong>${request.client?.host}</strong>, wants to read the weather for <strong>${request.email}</strong>.</p>
<p>Approve only if you started this yourself.</p>`
}
<form class="card" method="post" action="/auth/confirm">
<input type="hidden" name="ticket" value="${request.secret}">
<button type="submit" name="decision" value="approve">${request.session ? 'Sign in' : 'Approve'}</button>
<button type="submit" name="decision" value="deny" class="plain">${request.session ? 'Cancel' : 'Deny'}</button>
</form>`,
  })
}

const endings = {
  claimed: [
    'Claimed',
    'The key is now a free key. You find it among your keys at /developer, where you sign in with the same address.',
  ],
  approved: ['Approved', 'The device will get its key now. You may close this page.'],
  denied: ['Denied', 'The request was denied. You may close this page.'],
  elsewhere: [
    'Open this in the browser where you started',
    'The sign-in was started in another browser, or it has expired. Open the link in the browser where you started, or start again there.',
  ],
  gone: ['This link is no longer valid', 'It has already been used or has expired. Start again where you started.'],
} as const

export function donePage(ending: keyof typeof endings): Answer {
  const [title, text] = endings[ending]
  return page({ title, body: html`<h1>${title}</h1>\n<p role="status">${text}</p>` })
}

/** The page for an authorization error that cannot be returned to the client by redirect. */
export function errorPage(error: string, description: string): Answer {
  return page({
    title: 'This sign-in cannot continue',
    body: html`<h1>This sign-in cannot continue</h1>
<p role="alert">${description || error}</p>
<p>Start again in the program that sent you here. If this happens again, tell its developers about the error <code>${error}</code>.</p>`,
  })
}
