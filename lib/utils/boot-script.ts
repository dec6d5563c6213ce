/**
 * The one inline script of ours, the same on every page and at most 2 kB. It runs before the first paint: platform,
 * brand, bars and cookie card are known by then, so nothing moves later. It also does what a click needs before the
 * framework is there: links carry the query, and the last press of a button is kept for whoever starts the page.
 *
 * - `data-platform` mac or win: the query `ufrom`, else the device (as `phone_os` in client-values.ts tells it)
 * - `data-skin` mendara or chatferry, on the pages of an order, whose tokens follow it: the query `website`, else the stored one
 * - `data-hide-header`, `data-hide-footer` on tool pages: the query `hideHeader=1`, `hideFooter=1`
 * - `data-cookies` agreed, folded or open
 *
 * `__paint` does all that again, for moves within the app.
 */
export const bootScript = `(function(d,w){
var h=d.documentElement,l=w.location,n=navigator,a=n.userAgent;
function s(k){try{return w.localStorage.getItem(k)}catch(e){return null}}
(w.__paint=function(){
var q=new URLSearchParams(l.search),p=l.pathname.replace(/(.)\\/$/,'$1'),u=q.get('ufrom'),t=/^\\/(tools|repair-tool|(video-repair|photo-restoration|corrupted-file-recovery)-online)$/.test(p);
h.dataset.platform=u==='mac'||u==='win'?u:/Macintosh/.test(a)&&!/iPhone|iPad/.test(a)&&!(n.maxTouchPoints>1)?'mac':'win';
h.dataset.cookies=s('isAgreeCookie')==='true'?'agreed':s('cookiesFolded')==='true'?'folded':'open';
if(/^\\/(packge-loading|pay-success|pending)$/.test(p))h.dataset.skin=(q.get('website')||s('website'))==='whatsapp'?'chatferry':'mendara';else delete h.dataset.skin;
h.toggleAttribute('data-hide-header',t&&q.get('hideHeader')==='1');
h.toggleAttribute('data-hide-footer',t&&q.get('hideFooter')==='1')
})();
function live(){for(var k in d)if(k.indexOf('__reactContainer')===0)return true}
d.addEventListener('click',function(e){
var t=e.target&&e.target.closest&&e.target.closest('a[href],button'),x;
if(!t||live())return;
if(t.tagName==='BUTTON'){w.__early=t;return}
x=new URL(t.href);
if(x.origin!==l.origin||/^\\/api\\/|\\.[a-z0-9]{2,5}$/i.test(x.pathname))return;
new URLSearchParams(l.search).forEach(function(v,k){if(!/^(ticket|token|state|toast|tip|orderId|key|redirect_uri|email|code|from|website)$/.test(k)&&!new URL(t.href).searchParams.has(k))x.searchParams.append(k,v)});
t.href=x.href},true)
})(document,window)`;
