package promptcache

// Forget ends the entries that one request wrote and nobody has written since: what a server does that keeps
// nothing of an aborted stream (keep_entry_on_aborted_stream false). What the request refreshed stays refreshed.
func (c *Cache) Forget(request string) {
	for r := c.order.next; r != &c.order; r = r.next {
		for i := range r.slots {
			if s := &r.slots[i]; s.request == request && s.span != nil {
				s.span = &span{used: s.span.used, expires: s.span.used} // a life of its own, which is over
			}
		}
	}
}
