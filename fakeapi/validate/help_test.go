package validate_test

// headers is a request's header fields, names in lower case.
type headers map[string]string

func (h headers) Get(name string) string { return h[name] }
