import { expect, test } from 'vitest'
import { cookieJar, keepsNone, readCookies, setCookie } from './cookies.ts'

const namesOf = (secure: boolean) => {
  const { secure: _, ...names } = cookieJar(secure)
  return Object.values(names)
}

test('over https every cookie is Secure and of this host alone; over http none has a prefix that browsers would refuse', () => {
  const jar = cookieJar(true)
  for (const name of namesOf(true))
    expect(setCookie(jar, name, 'x')).toMatch(/^__Host-[\w-]+=x; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  expect(namesOf(false).filter(name => name.startsWith('__'))).toEqual([])
})

test('a browser keeps none where it sends none of ours, whatever it sends of others', () => {
  const jar = cookieJar(true)
  expect(keepsNone(jar, readCookies('theme=dark; ninefold=x'))).toBe(true)
  for (const name of namesOf(true)) expect(keepsNone(jar, readCookies(`theme=dark; ${name}=x`))).toBe(false)
})
