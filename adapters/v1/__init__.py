"""In-process bindings: from one declaration to its schema, its coercion, its tool and its route."""
