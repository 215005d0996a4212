// The ticket is in the fragment, which browsers do not send.
const ticket = decodeURIComponent(location.hash.slice(1))
const field = document.querySelector<HTMLInputElement>('#ticket')
if (ticket && field) field.value = ticket
