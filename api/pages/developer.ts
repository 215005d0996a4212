import type { Plan } from '../keys/plan.ts'
import type { Answer, PlanName } from '../route.ts'
import { assetPath } from './assets.ts'
import { html, type Markup, page } from './page.ts'
import { usageChart } from './usage-chart.ts'

/** A message about the last form that was sent: an error unless `done` is true. */
export interface PageNotice {
  readonly text: string
  readonly field?: 'email' | 'key'
  readonly done?: boolean
}

/** A key in the list of keys. */
export interface ListedKey {
  readonly prefix: string
  readonly name: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

const head = () => html`<link rel="stylesheet" href="${assetPath('developer.css')}">`

const noticeOf = (notice: PageNotice | undefined, field?: 'email' | 'key') =>
  notice !== undefined &&
  notice.field === field &&
  html`<p class="${notice.done ? 'done' : 'error'}" id="${field ?? 'page'}-notice" role="${notice.done ? 'status' : 'alert'}">${notice.text}</p>`

const invalidMark = (notice: PageNotice | undefined, field: 'email' | 'key') =>
  notice?.field === field && html` aria-invalid="true" aria-describedby="${field}-notice"`

/** @param options.mailed true if the server sends mails; otherwise the operator can sign in with the first key */
export function signInPage({
  mailed,
  email = '',
  notice,
}: {
  mailed: boolean
  email?: string
  notice?: PageNotice
}): Answer {
  const byMail = html`<form class="card" method="post" action="/auth/session">
<label for="email">Email</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="email" required maxlength="254"${invalidMark(notice, 'email')}>
${noticeOf(notice, 'email')}
<button type="submit">Send me a link</button>
</form>`
  return page({
    title: 'API keys',
    head: head(),
    body: html`<h1>Sign in or sign up</h1>
${noticeOf(notice)}
${
  mailed
    ? html`<p>Enter your email address. You will get a mail with a link; open it in this browser. There is no password, and a new address gets an account on the <a href="/docs/plans">Free plan</a>.</p>
${byMail}`
    : html`<p>This server does not send mails. Its operator signs in with the first key, which the first start printed:</p>
<form class="card" method="post" action="/developer/key-sign-in">
<label for="key">The first key</label>
<input type="password" id="key" name="key" autocomplete="off" spellcheck="false" required maxlength="100"${invalidMark(notice, 'key')}>
${noticeOf(notice, 'key')}
<button type="submit">Sign in</button>
</form>
<h2>By email</h2>
<p>Ask the operator for the link in the mail: <code>npx hexcast outbox</code> prints it.</p>
${byMail}`
}
<p>A program that shows a code can use the <a href="/docs/keys#device">device flow</a>, which leads to the same account.</p>`,
  })
}

/** The page of a server whose accounts are kept by an external issuer. */
export function outsidePage(issuer: string): Answer {
  return page({
    title: 'API keys',
    body: html`<h1>API keys</h1>
<p>Accounts for this server are managed by <strong>${new URL(issuer).host}</strong>. Get a key with the <a href="/docs/keys#device">device flow</a>: a program shows you a code, and you approve it there.</p>`,
  })
}

export interface DeveloperView {
  /** Email address of the account; empty for the operator. */
  readonly email: string
  readonly plan: PlanName
  readonly limits: Plan
  readonly keys: readonly ListedKey[]
  /** Counted calls for each of the last 30 days, oldest first. */
  readonly usage: readonly { readonly day: string; readonly calls: number }[]
  readonly formToken: string
  /** Idempotency key of the form that creates a key. */
  readonly once: string
  /** Prefix of the key with which the operator signed in. */
  readonly signInKey: string | undefined
  /** The new key, which is shown only once. */
  readonly newKey?: string
  readonly notice?: PageNotice
}

export function developerPage(view: DeveloperView): Answer {
  const { keys, formToken, once, newKey } = view
  const token = html`<input type="hidden" name="token" value="${formToken}">`
  const valid = keys.filter(({ revoked_at }) => !revoked_at)
  return page({
    title: 'API keys',
    head: head(),
    body: html`<div class="account"><h1>API keys</h1>
<form method="post" action="/developer/sign-out"><p>${view.email ? html`Signed in as <strong>${view.email}</strong>` : 'Signed in as the operator'} <button type="submit" class="plain">Sign out</button></p></form></div>
${noticeOf(view.notice)}
${newKey !== undefined && newKeyCard(newKey)}
<h2 id="keys">Keys</h2>
${
  valid.length > 0
    ? html`<ul class="keys">${valid.map((key) => keyItem(key, token, key.prefix === view.signInKey))}</ul>`
    : html`<p>You have no keys yet. Create the first one here:</p>`
}
<form class="card" method="post" action="/developer/create-key">
${token}<input type="hidden" name="once" value="${once}">
<label for="name">Name of a new key</label>
<input type="text" id="name" name="name" autocomplete="off" placeholder="such as my weather station" required maxlength="100">
<button type="submit">Make a key</button>
</form>
${revokedKeys(keys)}
<h2 id="usage">Calls of the last 30 days</h2>
${usageChart(view.usage)}
<h2 id="limits">Limits</h2>
${limitsOf(view)}`,
  })
}

const newKeyCard = (key: string): Markup => html`<section class="card new-key" aria-labelledby="new-key">
<h2 id="new-key">Your new key</h2>
<p role="status">Copy it now: it is shown only once and cannot be recovered.</p>
<p><code class="whole">${key}</code></p>
<p>Give it to programs as <code>HEXCAST_KEY</code>, then follow the <a href="/docs/quickstart">quickstart</a>.</p>
</section>`

function keyItem(key: ListedKey, token: Markup, signsIn: boolean): Markup {
  const { prefix, name } = key
  return html`<li class="card"><p><strong>${name}</strong> <code>${prefix}…</code><br><span class="quiet">made ${day(key.created_at)}${key.expires_at ? html`, ends ${day(key.expires_at)}` : ''}${signsIn && ', signs you in here'}</span></p>
<details><summary>Rename or revoke<span class="unseen"> ${name}</span></summary>
<form method="post" action="/developer/rename-key">${token}<input type="hidden" name="prefix" value="${prefix}">
<label for="name-${prefix}">New name</label>
<input type="text" id="name-${prefix}" name="name" value="${name}" autocomplete="off" required maxlength="100">
<button type="submit">Rename</button></form>
${
  signsIn
    ? html`<p class="quiet">This key signs you in. To revoke it, run this on the server: <code>npx hexcast keys revoke ${prefix}</code></p>`
    : html`<form method="post" action="/developer/revoke-key">${token}<input type="hidden" name="prefix" value="${prefix}">
<p>Programs that use it are rejected within 2 seconds, permanently.</p>
<button type="submit" class="danger">Revoke ${name}</button></form>`
}
</details></li>`
}

function revokedKeys(keys: readonly ListedKey[]): Markup | false {
  const revoked = keys.flatMap((key) => (key.revoked_at ? [{ ...key, revokedAt: key.revoked_at }] : []))
  return (
    revoked.length > 0 &&
    html`<details class="revoked"><summary>${revoked.length} revoked</summary>
<ul>${revoked.slice(-50).map(({ prefix, name, revokedAt }) => html`<li>${name} <code>${prefix}…</code>, revoked ${day(revokedAt)}</li>`)}</ul></details>`
  )
}

function limitsOf({ plan, limits, usage }: DeveloperView): Markup {
  const today = usage.at(-1)
  const month = usage.filter((entry) => entry.day.slice(0, 7) === today?.day.slice(0, 7))
  const number = (value: number) => value.toLocaleString('en')
  const used = (calls: number, limit: number | undefined) =>
    limit === undefined ? html`${number(calls)}, no limit` : html`${number(calls)} of ${number(limit)}`
  return html`<p>Plan <strong>${plan.slice(0, 1).toUpperCase() + plan.slice(1)}</strong>, shared by all keys of the account. Days and months begin at 00:00 UTC. <a href="/docs/plans">All plans</a></p>
<dl class="limits">
<div><dt>Per minute</dt><dd>${number(limits.minute)}, at most ${number(limits.burst)} at once</dd></div>
<div><dt>Today</dt><dd>${used(today?.calls ?? 0, limits.day)}</dd></div>
<div><dt>This month</dt><dd>${used(
    month.reduce((sum, { calls }) => sum + calls, 0),
    limits.month,
  )}</dd></div>
<div><dt>Event streams at once</dt><dd>${number(limits.streams ?? 0)}</dd></div>
</dl>`
}

const day = (date: Date): Markup =>
  html`<time datetime="${date.toISOString()}">${date.toISOString().slice(0, 10)}</time>`
